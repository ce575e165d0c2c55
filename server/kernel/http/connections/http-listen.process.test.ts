import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { itUnlessMissing } from '../../../../testing/skip.ts';

/** Opens connections from a separate thread, since this one is kept busy. */
const connect_script = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  for (let at = 0; at < workerData.count; at++)
    connect(workerData.port, '127.0.0.1').on('connect', () => parentPort.postMessage(at)).on('error', () => undefined);`;

describe('listening', () => {
  let world: World | undefined;
  afterEach(() => world?.close());

  async function open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  itUnlessMissing(
    process.platform === 'linux' ? undefined : 'SO_REUSEPORT',
    'accepts many connections in one turn of a busy event loop',
    async () => {
      world = await createWorld();
      const port = await world.app.listen();
      let accepted = 0;
      world.app.http.server.on('connection', () => (accepted += 1));
      const count = 64;
      const worker = new Worker(connect_script, { eval: true, workerData: { port, count } });
      let turns = 0;
      await new Promise<void>((resolve) => {
        const turn = () => {
          const until_ms = performance.now() + 20;
          while (performance.now() < until_ms);
          if (accepted > 0) turns += 1;
          if (accepted < count) setImmediate(turn);
          else resolve();
        };
        turn();
      });
      await worker.terminate();
      // With one connection per turn, there would be 64 turns.
      expect(turns).toBeLessThan(count / 2);
    },
  );

  it('counts the connections of all its sockets, and closes those above the limit', async () => {
    world = await createWorld({ limits: { connections: 8 } });
    const port = await world.app.listen();
    let accepted = 0;
    world.app.http.server.on('connection', () => (accepted += 1));
    const sockets = await Promise.all(Array.from({ length: 8 }, () => open(port)));
    // The system completes the connections; the service accepts them from one socket after the other.
    await expect.poll(() => accepted).toBe(8);
    for (let at = 0; at < 8; at++) await once(await open(port), 'close');
    sockets[0]?.destroy();
    const answer = async () => {
      const socket = await open(port);
      socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
      return String(data).slice(0, 12);
    };
    await expect.poll(answer).toBe('HTTP/1.1 200');
    for (const socket of sockets) socket.destroy();
  });

  it('survives a failed accept', async () => {
    world = await createWorld();
    const port = await world.app.listen();
    const failure = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' });
    expect(() => world?.app.http.server.emit('error', failure)).not.toThrow();
    const socket = await open(port);
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200');
    socket.destroy();
  });

  it('returns 503 while no file descriptors are left for the database', async () => {
    world = await createWorld();
    const { db } = world.app.services;
    const failure = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' });
    const query = vi.spyOn(db, 'maybe').mockRejectedValue(failure);
    const answer = await world.call('POST /auth/login', { body: { username: 'ada', password: 'any' } });
    expect(query).toHaveBeenCalled();
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    query.mockRestore();
  });

  it('returns 503 to a request on a connection above the limit', async () => {
    world = await createWorld({ limits: { connections: 1 } });
    const port = await world.app.listen();
    const first = await open(port);
    let text = '';
    const second = await open(port);
    second.on('data', (data: Buffer) => (text += data.toString()));
    second.write('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(second, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(head).toMatch(/retry-after: 1/);
    expect(JSON.parse(body).error.code).toBe('unavailable');
    first.destroy();
  });

  it('does not share its port with another server, and releases it on close', async () => {
    const occupied = createServer().listen(0, '0.0.0.0');
    await once(occupied, 'listening');
    const { port } = occupied.address() as { port: number };
    world = await createWorld({ environment: { PORT: String(port) } });
    await expect(world.app.listen()).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    occupied.close();
    await once(occupied, 'close');
    expect(await world.app.listen()).toBe(port);
    const second = createServer().listen(port, '0.0.0.0');
    expect((await once(second, 'error'))[0]).toMatchObject({ code: 'EADDRINUSE' });
    await world.close();
    world = undefined;
    const after = createServer().listen(port, '0.0.0.0');
    await once(after, 'listening');
    after.close();
  });
});
