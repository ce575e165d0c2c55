import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('the host of a request', () => {
  let world: World;
  let port = 0;
  beforeAll(async () => {
    world = await createWorld();
    port = await world.app.listen();
  });
  afterAll(() => world.close());

  async function statusOf(target: string, ...hosts: string[]): Promise<number> {
    const socket = connect(port, '127.0.0.1');
    const fields = hosts.map((host) => `Host: ${host}\r\n`).join('');
    socket.write(`GET ${target} HTTP/1.1\r\n${fields}\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(data.toString().slice(9, 12));
  }

  it.each([
    ['/health/live', ['localhost'], 200],
    ['/health/live', ['[::1]:80'], 200],
    ['http://localhost/health/live', ['LOCALHOST'], 200],
    ['http://localhost:80/health/live', ['localhost'], 200],
    ['http://localhost/health/live', ['localhost:80'], 200],
    ['http://localhost:/health/live', ['localhost'], 200],
    ['https://[::1]:443/health/live', ['[::1]'], 200],
    ['http://localhost:443/health/live', ['localhost'], 400],
    ['http://localhost:8080/health/live', ['localhost'], 400],
    ['http://a@localhost:80/health/live', ['localhost'], 400],
    ['/health/live', ['localhost', 'localhost'], 400],
    ['/health/live', ['localhost', 'example.com'], 400],
    ['/health/live', ['local host'], 400],
    ['/health/live', ['a@localhost'], 400],
    ['/health/live', ['localhost/path'], 400],
    ['/health/live', ['localhost:port'], 400],
    ['http://example.com/health/live', ['localhost'], 400],
    ['/health/live', [], 400],
    ['/health/live', [''], 200],
    ['/health/live', ['localhost, example.com'], 400],
  ])('of %s with %j is answered with %i', async (target, hosts, status) => {
    expect(await statusOf(target, ...hosts)).toBe(status);
  });

  it('is checked in an upgrade as well', async () => {
    const socket = connect(port, '127.0.0.1');
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    socket.write(`GET /v1/realtime/socket HTTP/1.1\r\nHost: a\r\nHost: b\r\n${upgrade}\r\n${key}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  });
});
