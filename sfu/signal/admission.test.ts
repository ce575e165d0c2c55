import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SignalRequest, SignalResponse, SimulateScenario } from '@livekit/protocol';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startSignalGateway, type Gateway } from './gateway/signal-gateway.ts';
import { startSfu, type Sfu } from '../index.ts';
import { LIMITS } from '../limits.ts';
import { signToken, verifyToken } from '../token.ts';
import { slow } from '../../testing/slow-tests.ts';

const api_key = 'key';
const api_secret = 'a-secret-of-at-least-thirty-two-bytes!';
const client_secret = 'another-secret-of-thirty-two-bytes!!!!';

/** The statuses that the service returns for tokens, and the tokens of its requests. */
let answers: number[] = [];
const checked_tokens: string[] = [];
const service = createServer((request, response) => {
  const answer = async () => {
    const [, claims = ''] = (request.headers.authorization ?? '').split('.');
    const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string };
    const { token } = JSON.parse(await text(request)) as { token: string };
    checked_tokens.push(`${sub}: ${token}`);
    response.writeHead(answers.shift() ?? 204).end();
  };
  void answer();
});
let sfu: Sfu;
let behind: Sfu;
let gateway: Gateway;
let gateway_url: string;
let rooms: RoomServiceClient;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const admission_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const own = { host: '127.0.0.1', port: 0, api_key, api_secret, auto_create: false };
  sfu = await startSfu({ ...own, admission_url });
  behind = await startSfu({ ...own, auto_create: true });
  const to_livekit = { livekit_url: behind.url, api_key, api_secret, client_secret, admission_url };
  gateway = await startSignalGateway({ host: '127.0.0.1', port: 0, ...to_livekit, log: () => undefined });
  gateway_url = `http://127.0.0.1:${gateway.port}`;
  rooms = new RoomServiceClient(sfu.url, api_key, api_secret);
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([sfu.close(), behind.close()]);
  service.close();
});
beforeEach(() => {
  answers = [];
  checked_tokens.length = 0;
});

function createToken(identity: string, room: string, { jti = 'ses_1.0', secret = api_secret } = {}): string {
  const now_s = Date.now() / 1000;
  const claims = { iss: api_key, sub: identity, iat: now_s, exp: now_s + 60, video: { roomJoin: true, room } };
  return signToken(jti === '' ? claims : { ...claims, jti }, secret);
}
const validate = async (url: string, token: string) =>
  (await fetch(`${url}/rtc/validate?access_token=${token}`)).status;

type Signals = { socket: WebSocket; messages: SignalResponse['message'][]; renewed(): Promise<string> };

/** A signal socket that has received its join response. @throws Error with the status of a refusal */
async function openSignals(url: string, token: string): Promise<Signals> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rtc?access_token=${token}`);
  const messages: SignalResponse['message'][] = [];
  socket.on('message', (data: Buffer) => messages.push(SignalResponse.fromBinary(data).message));
  await once(socket, 'message');
  const find = () => messages.find((message) => message.case === 'refreshToken')?.value;
  return {
    socket,
    messages,
    async renewed() {
      while (!find()) await once(socket, 'message');
      return find() ?? '';
    },
  };
}

test(
  'each token with an id is checked with the service, and a room that was not created does not exist',
  slow,
  async () => {
    const token = createToken('ann', 'asked');
    expect(await validate(sfu.url, token)).toBe(404);
    await rooms.createRoom({ name: 'asked' });
    answers = [204, 403, 500];
    expect(await validate(sfu.url, token)).toBe(200);
    expect(await validate(sfu.url, token)).toBe(403);
    expect(await validate(sfu.url, token)).toBe(503);
    expect(checked_tokens).toEqual(Array(4).fill(`admission: ${token}`));
    expect(await validate(sfu.url, createToken('phone', 'asked', { jti: '' }))).toBe(200);
    expect(checked_tokens).toHaveLength(4);
    await expect(openSignals(sfu.url, createToken('ann', 'elsewhere'))).rejects.toThrow('404');
    answers = [403];
    await expect(openSignals(sfu.url, token)).rejects.toThrow('403');
  },
);

test('an identity in a loop does not reach the service above its rate, and others do', slow, async () => {
  const burst = LIMITS.joins_burst_of_identity;
  for (const [url, secret] of [
    [sfu.url, api_secret],
    [gateway_url, client_secret],
  ] as const) {
    checked_tokens.length = 0;
    const token = createToken('looping', 'nowhere', { secret });
    const forged = createToken('ann', 'nowhere', { secret: 'a-forged-secret-of-thirty-two-bytes!!!' });
    const validateOften = (used: string) => Promise.all(Array.from({ length: burst * 3 }, () => validate(url, used)));
    // A client takes a 4xx of the validation as final.
    expect(await validateOften(token)).toContain(503);
    const opened = await Promise.allSettled(Array.from({ length: burst }, () => openSignals(url, token)));
    expect(opened.map((one) => one.status === 'rejected' && String(one.reason)).join()).toContain('429');
    expect(new Set(await validateOften(forged))).toEqual(new Set([401]));
    expect(checked_tokens.length).toBeGreaterThanOrEqual(burst);
    expect(checked_tokens.length).toBeLessThan(burst * 3);
    expect(await validate(url, createToken('ann', 'nowhere', { secret }))).not.toBe(503);
  }
});

test('a removal invalidates all earlier tokens, including renewed ones, but not later ones', async () => {
  await rooms.createRoom({ name: 'barred' });
  const token = createToken('ann', 'barred');
  const first = await openSignals(sfu.url, token);
  const renewed = await first.renewed();
  expect(verifyToken(renewed, api_key, api_secret)).toMatchObject({
    token_id: 'ses_1.0',
    issued_at_s: verifyToken(token, api_key, api_secret).issued_at_s,
  });
  const closed = once(first.socket, 'close');
  await rooms.removeParticipant('barred', 'ann');
  await closed;
  for (const used of [token, renewed]) {
    const again = await openSignals(sfu.url, used);
    expect(again.messages[0]?.case).toBe('leave');
  }
  const invited = await openSignals(sfu.url, createToken('ann', 'barred'));
  expect(invited.messages[0]?.case).toBe('join');
  invited.socket.terminate();
});

test('a participant who is removed before joining is not admitted', async () => {
  await rooms.createRoom({ name: 'early' });
  const token = createToken('ann', 'early');
  await expect(rooms.removeParticipant('early', 'ann')).rejects.toThrow();
  expect((await openSignals(sfu.url, token)).messages[0]?.case).toBe('leave');
});

test('the gateway accepts and issues only tokens signed with its own secret', async () => {
  const token = createToken('ann', 'behind', { secret: client_secret });
  expect(await validate(gateway_url, createToken('ann', 'behind'))).toBe(401);
  expect(await validate(behind.url, token)).toBe(401);
  expect(await validate(gateway_url, token)).toBe(200);
  const client = await openSignals(gateway_url, token);
  expect(client.messages[0]?.case).toBe('join');
  const renewed = await client.renewed();
  expect(verifyToken(renewed, api_key, client_secret)).toMatchObject({ identity: 'ann', token_id: 'ses_1.0' });
  expect(await validate(behind.url, renewed)).toBe(401);
  expect(client.messages.filter((message) => message.case === 'refreshToken')).toHaveLength(1);
  answers = [403];
  await expect(openSignals(gateway_url, renewed)).rejects.toThrow('403');
  client.socket.terminate();
});

/** A client of a gateway before a server in LiveKit's place, which shows what reaches it. */
async function connectBefore(livekit: WebSocketServer, identity: string, parameters: Record<string, string> = {}) {
  await once(livekit, 'listening');
  const livekit_url = `http://127.0.0.1:${(livekit.address() as AddressInfo).port}`;
  const admission_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const options = { host: '127.0.0.1', port: 0, api_key, api_secret, client_secret, admission_url };
  const before_it = await startSignalGateway({ ...options, livekit_url, log: () => undefined });
  const token = createToken(identity, 'passed', { secret: client_secret });
  const query = new URLSearchParams({ access_token: token, ...parameters });
  const client = new WebSocket(`ws://127.0.0.1:${before_it.port}/rtc?${query.toString()}`);
  const [[upstream, request]] = (await Promise.all([once(livekit, 'connection'), once(client, 'open')])) as [
    [WebSocket, { url: string }],
    unknown,
  ];
  const close = async () => {
    client.terminate();
    await before_it.close();
    livekit.close();
  };
  return { client, upstream, address: new URL(request.url, livekit_url), close };
}

test('the gateway passes on to LiveKit only what clients say about themselves', async () => {
  const known = { protocol: '15', reconnect: '1', sid: 'PA_1' };
  const unknown = { publish: 'again', attributes: 'e30=', room: 'another', metadata: 'x' };
  const livekit = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const { address, close } = await connectBefore(livekit, 'ann', { ...known, ...unknown });
  const { access_token, ...passed } = Object.fromEntries(address.searchParams);
  expect(passed).toEqual(known);
  expect(verifyToken(access_token ?? '', api_key, api_secret)).toMatchObject({ identity: 'ann', room: 'passed' });
  await close();
});

test('the gateway passes on signals within the budgets of the media server, and no simulated scenario', async () => {
  const livekit = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const { client, upstream, close } = await connectBefore(livekit, 'ben');
  const received: unknown[] = [];
  upstream.on('message', (data: Buffer) => received.push(SignalRequest.fromBinary(data).message.case));
  const send = (message: SignalRequest['message']) => client.send(new SignalRequest({ message }).toBinary());
  const scenario = { case: 'speakerUpdate', value: 1_000_000 } as const;
  send({ case: 'simulate', value: new SimulateScenario({ scenario }) });
  send({ case: 'ping', value: 1n });
  await once(upstream, 'message');
  expect(received).toEqual(['ping']);
  const closed = once(client, 'close');
  for (let count = 0; count <= 4 * LIMITS.signal_messages_burst; count++) send({ case: 'ping', value: 1n });
  await closed;
  await once(upstream, 'close');
  expect(received.length).toBeLessThan(2 * LIMITS.signal_messages_burst);
  await close();
});

test('the gateway removes a participant whose grant was refused while joining', async () => {
  answers = [204, 403];
  const client = await openSignals(gateway_url, createToken('eve', 'crossed', { secret: client_secret }));
  await once(client.socket, 'close');
  const livekit_rooms = new RoomServiceClient(behind.url, api_key, api_secret);
  await expect
    .poll(async () => (await livekit_rooms.listParticipants('crossed')).map(({ identity }) => identity))
    .toEqual([]);
});
