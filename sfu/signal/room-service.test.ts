import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { AccessToken, DataPacket_Kind, RoomServiceClient, WebhookReceiver } from 'livekit-server-sdk';
import { SignalRequest, SignalResponse } from '@livekit/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu, type Sfu } from '../index.ts';
import { LIMITS } from '../limits.ts';
import { slow } from '../../testing/slow-tests.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';
const webhooks: string[] = [];
const receiver = new WebhookReceiver(api_key, api_secret);
const hooks = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    receiver
      .receive(Buffer.concat(parts).toString(), request.headers.authorization)
      .then((event) => webhooks.push(`${event.room?.name}:${event.event}`))
      .catch((error: unknown) => webhooks.push(String(error)))
      .finally(() => response.end());
  });
});
let sfu: Sfu;
let service: RoomServiceClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    hooks.listen(0, '127.0.0.1', resolve);
  });
  const webhook_url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`;
  sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret, webhook_url, departure_timeout_s: 0.1 });
  service = new RoomServiceClient(sfu.url, api_key, api_secret);
});
afterAll(async () => {
  await sfu.close();
  hooks.close();
});

async function call(method: string, grant: object, body: string, content_type = 'application/json') {
  const token = new AccessToken(api_key, api_secret, { identity: 'service' });
  token.addGrant(grant);
  const headers = { 'content-type': content_type, authorization: `Bearer ${await token.toJwt()}` };
  const reply = await fetch(`${sfu.url}/twirp/livekit.RoomService/${method}`, { method: 'POST', headers, body });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

/** Opens a signal socket that has received its join response, without a media connection. */
async function openSignal(identity: string, room: string) {
  const token = new AccessToken(api_key, api_secret, { identity });
  token.addGrant({ roomJoin: true, room });
  const socket = new WebSocket(`${sfu.url.replace('http', 'ws')}/rtc?access_token=${await token.toJwt()}`);
  const messages: SignalResponse['message'][] = [];
  socket.on('message', (data: Buffer) => messages.push(SignalResponse.fromBinary(data).message));
  await once(socket, 'message');
  return { socket, messages };
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a room is created, listed with its settings, returned when created again, and deleted', async () => {
  const created = await service.createRoom({ name: 'one', emptyTimeout: 30, maxParticipants: 5, metadata: 'm' });
  expect(created).toMatchObject({
    name: 'one',
    emptyTimeout: 30,
    maxParticipants: 5,
    metadata: 'm',
    numParticipants: 0,
  });
  expect((await service.createRoom({ name: 'one' })).sid).toBe(created.sid);
  expect((await service.listRooms(['one'])).map((room) => room.sid)).toEqual([created.sid]);
  expect(await service.listParticipants('one')).toEqual([]);
  await service.deleteRoom('one');
  expect(await service.listRooms(['one'])).toEqual([]);
  await until('webhooks', () => webhooks.includes('one:room_finished'));
  expect(webhooks.filter((entry) => entry.startsWith('one:'))).toEqual(['one:room_started', 'one:room_finished']);
});

test('an unknown room, participant and method cause Twirp errors', async () => {
  await expect(service.deleteRoom('none')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(service.getParticipant('none', 'x')).rejects.toMatchObject({ status: 404 });
  await expect(service.removeParticipant('none', 'x')).rejects.toMatchObject({ code: 'not_found' });
  await expect(service.sendData('none', new Uint8Array([1]), DataPacket_Kind.RELIABLE, {})).rejects.toMatchObject({
    status: 404,
  });
  expect(await call('Nothing', { roomCreate: true }, '{}')).toMatchObject({ status: 404, body: { code: 'bad_route' } });
  expect(await call('constructor', { roomCreate: true }, '{}')).toMatchObject({
    status: 404,
    body: { code: 'bad_route' },
  });
});

test('each method requires its grant and a valid token', async () => {
  const refused = { status: 403, body: { code: 'permission_denied' } };
  expect(await call('CreateRoom', { roomList: true }, '{"name":"x"}')).toMatchObject(refused);
  expect(await call('ListRooms', { roomCreate: true }, '{}')).toMatchObject(refused);
  expect(await call('ListParticipants', { roomAdmin: true, room: 'other' }, '{"room":"x"}')).toMatchObject(refused);
  const stranger = new RoomServiceClient(sfu.url, api_key, 'another-secret-of-thirty-two-bytes-or-so');
  await expect(stranger.listRooms()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('JSON bodies are accepted like protobuf, and invalid bodies are rejected', async () => {
  const created = await call('CreateRoom', { roomCreate: true }, '{"name":"json","emptyTimeout":20,"unknown":1}');
  expect(created).toMatchObject({ status: 200, body: { name: 'json', emptyTimeout: 20 } });
  expect(await call('CreateRoom', { roomCreate: true }, '{')).toMatchObject({
    status: 400,
    body: { code: 'malformed' },
  });
  expect(await call('CreateRoom', { roomCreate: true }, '{}')).toMatchObject({
    status: 400,
    body: { code: 'invalid_argument' },
  });
  expect(await call('CreateRoom', { roomCreate: true }, 'x', 'text/plain')).toMatchObject({ status: 404 });
  expect(await call('ListRooms', { roomList: true }, 'x'.repeat(LIMITS.request_body_bytes + 1))).toMatchObject({
    status: 400,
  });
});

test('a participant is listed, updated and removed', slow, async () => {
  const { socket, messages } = await openSignal('alice', 'people');
  const [seen] = await service.listParticipants('people');
  expect(seen).toMatchObject({ identity: 'alice', name: '' });
  const closed = once(socket, 'close');
  await service.updateParticipant('people', 'alice', {
    metadata: 'new',
    name: 'Alice',
    attributes: { mood: 'good' },
    permission: { canPublish: false, canSubscribe: true, canPublishData: false },
  });
  const updated = await service.getParticipant('people', 'alice');
  expect(updated).toMatchObject({ name: 'Alice', metadata: 'new', attributes: { mood: 'good' } });
  expect(updated.permission).toMatchObject({ canPublish: false, canSubscribe: true, canPublishData: false });
  await expect(service.mutePublishedTrack('people', 'alice', 'TR_none', true)).rejects.toMatchObject({ status: 404 });
  await service.removeParticipant('people', 'alice');
  await closed;
  expect(messages.map((message) => message.case)).toContain('leave');
  await until('the empty room to end', () => webhooks.includes('people:room_finished'));
});

test('a text frame, an oversized frame and a flood close only the connection of their client', async () => {
  const bystander = await openSignal('bystander', 'hostile');
  const attacks: ((socket: WebSocket) => void)[] = [
    (socket) => socket.send('hello'),
    (socket) => socket.send(Buffer.alloc(LIMITS.signal_frame_bytes + 1)),
    (socket) => {
      // More than the burst, since the bucket refills while a busy machine reads.
      for (let i = 0; i <= 4 * LIMITS.signal_messages_burst; i++)
        socket.send(new SignalRequest({ message: { case: 'ping', value: 1n } }).toBinary());
    },
  ];
  for (const attack of attacks) {
    const { socket } = await openSignal('mallory', 'hostile');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    attack(socket);
    await closed;
  }
  expect(bystander.socket.readyState).toBe(WebSocket.OPEN);
  expect((await service.listParticipants('hostile')).map((entry) => entry.identity)).toContain('bystander');
  bystander.socket.close();
});

test('unknown paths return 404 with a CORS header, and validation returns the reason of a refusal', async () => {
  for (const path of ['/rtc/v1', '/rtc/v1/validate', '/nothing']) {
    const reply = await fetch(sfu.url + path);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  }
  expect((await fetch(sfu.url)).status).toBe(200);
  const reply = await fetch(`${sfu.url}/rtc/validate`);
  expect([reply.status, await reply.text()]).toEqual([401, 'token is malformed']);
});

test('a request target that is not a URL gets 404, and the server keeps running', async () => {
  for (const head of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
    const socket = connect(Number(new URL(sfu.url).port), '127.0.0.1');
    socket.write(`GET // HTTP/1.1\r\nHost: x\r\n${head}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 404/);
    socket.destroy();
  }
  expect((await fetch(sfu.url)).status).toBe(200);
});
