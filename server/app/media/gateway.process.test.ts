import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { PhoneSocket } from '../../engines/ports.ts';
import { becomeGuest, createWidget } from '../../testing/steps/widgets.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { openSocket, openSse } from '../../testing/running/realtime-receivers.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const limits = {
  realtime_frames_per_second: 5,
  realtime_frames_burst: 20,
  realtime_connections_per_account: 3,
  realtime_connections_per_guest: 2,
};

describe('limits of realtime connections', () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await createWorld({ limits });
    port = await world.app.listen();
  });
  afterAll(() => world.close());

  const url = () => `http://127.0.0.1:${port}/v1/realtime/stream`;
  async function open({ token }: { token: string }) {
    const { body: grant } = await world.call('POST /realtime/grant', { token, body: {} });
    return openSocket({ url: `ws://127.0.0.1:${port}/v1/realtime/socket`, token: grant.token });
  }
  const count = () => world.app.services.realtime.connections();

  it.each([
    ['frames', (socket: { send(text: string): void }) => socket.send('{"type":"focus","subject":null}')],
    ['pings', (socket: { ping(): void }) => socket.ping()],
  ])('closes a websocket that sends too many %s', async (_what, send) => {
    const { alice, bob } = findPersonas();
    const within_limit = await open(bob);
    for (let sent = 0; sent < limits.realtime_frames_burst - 2; sent++) send(within_limit.socket as never);
    const { socket, closed } = await open(alice);
    for (let sent = 0; sent < 2_000; sent++) send(socket as never);
    expect((await closed).code).toBe(4028);
    await expect.poll(count).toBe(1);
    // A connection within the limit stays open.
    expect(within_limit.socket.readyState).toBe(within_limit.socket.OPEN);
    within_limit.close();
    await expect.poll(count).toBe(0);
  });

  it('allows fewer connections per guest, since one address can create many guests', async () => {
    const guest = await becomeGuest(world, await createWidget(world, findPersonas().alice, 'shop'));
    const opened = [await open(guest), await open(guest)];
    await expect(open(guest)).rejects.toThrow('4029');
    for (const connection of opened) connection.close();
    await expect.poll(count).toBe(0);
  });

  it('rejects further streams of an account at its limit: WebSocket with 4029, SSE with 429', async () => {
    const { alice, bob } = findPersonas();
    const opened = [await open(alice), await openSse(url(), alice.token), await open(alice)];
    await expect(open(alice)).rejects.toThrow('4029');
    const refused = await fetch(url(), { headers: { authorization: `Bearer ${alice.token}` } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const { error } = (await refused.json()) as { error: object };
    expect(error).toMatchObject({
      code: 'rate_limited',
      message: 'Too many streams are open for this account.',
    });
    const other = await open(bob);
    // The open streams stay open, and closing one allows another.
    opened[1]?.close();
    await expect.poll(count).toBe(3);
    opened.push(await open(alice), other);
    for (const connection of opened) connection.close();
    await expect.poll(count).toBe(0);
  });

  it.each([
    ['/nothing', 'asterism.test'],
    ['/v1/realtime/socket', 'asterism.test'],
    ['/v1/realtime/socket', 'no host'],
  ])('withstands clients that ask for a websocket at %s of %s and are gone', async (path, host) => {
    const key = Buffer.alloc(16).toString('base64');
    const asked = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
    for (let round = 0; round < 20; round++) {
      const client = connect(port, '127.0.0.1', () => client.write(asked, () => client.resetAndDestroy()));
      await once(client, 'close');
    }
    const still = await open(findPersonas().bob);
    still.close();
    await expect.poll(count).toBe(0);
  });

  it('closes the connection after it has refused an upgrade, also if the client does not', async () => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write('GET /nothing HTTP/1.1\r\nHost: asterism.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    let answer = '';
    client.setEncoding('utf8').on('data', (text: string) => (answer += text));
    await once(client, 'end');
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    const { server } = world.app.http;
    const connections = () =>
      new Promise((resolve) => server.getConnections((_error, open_count) => resolve(open_count)));
    await expect.poll(connections).toBe(0);
    client.destroy();
  });

  it('closes the connection of a phone when the adapter of the carrier fails, and nothing else', async () => {
    const acceptAudio = ({ onText }: PhoneSocket) =>
      onText((text) => {
        if (text === 'fail') throw new TypeError('an adapter that fails');
      });
    Object.assign(world.app.services.telephony, { acceptAudio });
    const phone = new WebSocket(`ws://127.0.0.1:${port}/v1/telephony/stream`);
    await once(phone, 'open');
    phone.send('fail');
    const [code] = await once(phone, 'close');
    expect(code).toBe(1006);
    const still = await open(findPersonas().bob);
    still.close();
    await expect.poll(count).toBe(0);
  });
});
