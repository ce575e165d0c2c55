/** A server that has reported an error and has not yet rolled back. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPool, sql, type Pool } from './database.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** The types of messages (PostgreSQL, 54.7), and the length of type and length. */
const error_response = 'E'.charCodeAt(0);
const ready_for_query = 'Z'.charCodeAt(0);
const head_bytes = 5;

/** Passes connections on, and holds back the first ReadyForQuery after an error until `release`. */
function openProxy(path: string) {
  const errors: (() => void)[] = [];
  let held: (() => void) | undefined;
  const server: Server = createServer((client) => {
    const upstream = connect(path);
    client.on('error', () => undefined).pipe(upstream);
    let rest = Buffer.alloc(0);
    let has_failed = false;
    const pass = (message: Buffer) => void client.write(message);
    upstream
      .on('error', () => undefined)
      .on('data', (data: Buffer) => {
        rest = Buffer.concat([rest, data]);
        while (rest.length >= head_bytes && rest.length > rest.readUInt32BE(1)) {
          const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
          rest = rest.subarray(message.length);
          if (message[0] === ready_for_query && has_failed) {
            has_failed = false;
            held = () => pass(message);
            for (const notify of errors.splice(0)) notify();
          } else pass(message);
          if (message[0] === error_response) has_failed = true;
        }
      });
  });
  return {
    server,
    /** Resolves once the server has reported an error and its readiness is held back. */
    error: () => new Promise<void>((resolve) => errors.push(resolve)),
    release: () => held?.(),
  };
}

describe('an error of a transaction of one round trip', () => {
  let proxy: ReturnType<typeof openProxy>;
  let pool: Pool;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    const url = new URL(inject('database_url'));
    const { host = '', port = '' } = Object.fromEntries(url.searchParams);
    proxy = openProxy(`${host}/.s.PGSQL.${port}`);
    proxy.server.on('connection', (socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    url.search = '';
    url.hostname = '127.0.0.1';
    url.port = String((proxy.server.address() as AddressInfo).port);
    pool = openPool(url.href, 2);
  });
  afterAll(async () => {
    await pool.close();
    for (const socket of sockets) socket.destroy();
    proxy.server.close();
  });

  it('is known once it is rolled back, so that its locks are free', slow, async () => {
    const failed = proxy.error();
    let is_known = false;
    const failing = pool.transaction(
      async () => 'done',
      (db) => db.run(sql`select 1 / ${0}::int`),
    );
    const known = failing.catch(() => undefined).finally(() => (is_known = true));
    await failed;
    // Round trips on the same way, in which the error would have become known.
    for (let at = 0; at < 5; at++) await pool.run(sql`select 1`);
    expect(is_known).toBe(false);
    proxy.release();
    await known;
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });
});
