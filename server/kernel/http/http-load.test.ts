import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { default_limits } from '../load/limits.ts';
import { generateToken } from '../security/secret.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const limits = { requests_working: 2, requests_working_min: 2, requests_waiting: 16 };
const { connection_requests } = default_limits;

describe('requests over sockets', () => {
  let world: World;
  let port = 0;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    world = await createWorld({ limits, environment: { TRUST_PROXY: 'on' } });
    port = await world.app.listen();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await world.close();
  });

  const requestOf = (path: string, from: string, token = findPersonas().alice.token) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  /** Sends requests on one connection. @returns the statuses of the answers so far */
  async function send(request: string, count = 1): Promise<number[]> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    const statuses: number[] = [];
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/HTTP\/1.1 (\d+)/g)) statuses.push(Number(status));
    });
    await once(socket, 'connect');
    socket.write(request.repeat(count));
    return statuses;
  }

  it('of one network hold up no others, however many they are', slow, async () => {
    const client = await world.app.services.db.native.connect();
    let other: number[] = [];
    try {
      await client.query('begin; lock table tags in access exclusive mode');
      const flood = await Promise.all(
        Array.from({ length: 8 }, () => send(requestOf('/v1/xtags', '192.0.2.1'), connection_requests)),
      );
      await expect.poll(() => flood.flat().includes(503)).toBe(true);
      other = await send(requestOf('/v1/xtags', '198.51.100.1'));
    } finally {
      await client.query('rollback');
      client.release();
    }
    await expect.poll(() => other).toEqual([200]);
  });

  it('pass the load gate also when their target is in absolute form', async () => {
    const { db, metrics } = world.app.services;
    const countShed = async () => (await metrics.shed.get()).values[0]?.value ?? 0;
    const client = await db.native.connect();
    try {
      await client.query('begin; lock table tags in access exclusive mode');
      for (let network = 1; network <= 4; network++)
        await send(requestOf('http://localhost/v1/xtags', `192.0.2.${network}`), connection_requests);
      await expect.poll(countShed).toBeGreaterThan(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.each(['/%761/xtags', '/v%31/xtags', '//v1/xtags', '/v1//xtags'])(
    'that would go around the load gate have no route: %s',
    async (address) => {
      const statuses = await send(requestOf(address, '192.0.2.1'));
      await expect.poll(() => statuses).toEqual([404]);
    },
  );

  it(
    'of people who are signed in have turns that strangers cannot take, from however many networks',
    slow,
    async () => {
      expect((await world.call('GET /me', { token: findPersonas().alice.token })).status).toBe(200);
      const client = await world.app.services.db.native.connect();
      let [member, stranger]: number[][] = [[], []];
      try {
        await client.query('begin; lock table sessions, guests, tags in access exclusive mode');
        const from = (at: number) =>
          send(requestOf('/v1/xtags', `192.0.2.${at}`, generateToken()), connection_requests);
        const flood = await Promise.all(Array.from({ length: 50 }, (_none, at) => from(at)));
        await expect.poll(() => flood.flat().filter((status) => status === 503).length).toBeGreaterThan(100);
        member = await send(requestOf('/v1/me', '198.51.100.1'));
        stranger = await send(requestOf('/v1/xtags', '198.51.100.2', generateToken()));
        await expect.poll(() => stranger).toEqual([503]);
      } finally {
        await client.query('rollback');
        client.release();
      }
      await expect.poll(() => member).toEqual([200]);
    },
  );

  it('close their connection when too many of it wait for an answer', async () => {
    const pending = await send(requestOf('/v1/me', '192.0.2.1'), connection_requests);
    await expect.poll(() => pending.length).toBe(connection_requests);
    const more = await send(requestOf('/v1/me', '192.0.2.1'), connection_requests + 1);
    await once(sockets.at(-1) as Socket, 'close');
    expect(more.length).toBeLessThanOrEqual(connection_requests);
  });
});
