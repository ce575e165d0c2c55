import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../ports.ts';
import { connectRedisBus } from './redis.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** A server that speaks as much of RESP2 as the bus needs, and can be silenced while its connections stay open. */
async function startFakeRedis() {
  const sockets = new Set<Socket>();
  let is_silent = false;
  const unsent: (() => void)[] = [];
  let received = 0;
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
  const replies: Record<string, string> = {
    info: bulk('redis_version:7.2.0\r\nloading:0\r\n'),
    eval: ':1\r\n',
    publish: ':0\r\n',
    zrem: ':0\r\n',
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (part) => {
      // A command is an array of bulk strings; its name is the first of them.
      for (const [, name = ''] of part.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        received += 1;
        const answer = () => void socket.write(replies[name.toLowerCase()] ?? '+OK\r\n');
        if (is_silent) unsent.push(answer);
        else answer();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => received,
    /** A server that was stopped answers everything in order when it goes on. */
    setSilent(silent: boolean) {
      is_silent = silent;
      if (!silent) for (const answer of unsent.splice(0)) answer();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a bus whose Redis accepts commands and does not answer', () => {
  let redis: Awaited<ReturnType<typeof startFakeRedis>>;
  let bus: Bus;
  beforeAll(async () => {
    redis = await startFakeRedis();
    bus = await connectRedisBus({ url: redis.url, command_timeout_ms: 200 });
  });
  afterAll(async () => {
    await bus.close();
    redis.close();
  });

  it('fails at once after the first time limit, and works again by itself', slow, async () => {
    expect(await bus.increment('count', 1000)).toBe(1);
    redis.setSilent(true);
    await expect(bus.increment('count', 1000)).rejects.toThrow('timed out');
    expect(bus.isConnected()).toBe(false);
    const sent = redis.count();
    for (let count = 0; count < 50; count++)
      await expect(bus.increment('count', 1000)).rejects.toThrow('does not answer');
    await expect(bus.publish('news', '')).rejects.toThrow('does not answer');
    expect(redis.count()).toBe(sent);
    redis.setSilent(false);
    await expect
      .poll(async () => bus.members('present').then(() => 'answered', String), { timeout: 5000 })
      .toBe('answered');
    expect(bus.isConnected()).toBe(true);
  });
});
