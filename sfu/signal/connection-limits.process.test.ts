import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SignalAdmission } from './connection-limits.ts';
import { sendWithinLimit } from './connect.ts';
import type { RoomHost } from './room-host.ts';
import type { SignalSocket } from './signal-socket.ts';
import { startSignalGateway } from './gateway/signal-gateway.ts';
import { createHttpServer, type HttpOptions, type HttpServer } from './http-server.ts';
import { LIMITS } from '../limits.ts';
import { createSignalServer } from './signal-server.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const host = { serve: async () => undefined } as unknown as RoomHost;
/** The servers under test: the media server's, and the gateway to a LiveKit server. */
const servers = ['media server', 'gateway'] as const;
let http: Pick<HttpServer, 'close'>;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close();
});

async function start(options: Partial<HttpOptions> = {}): Promise<number> {
  const started = createHttpServer({ host, ...key, auto_create: true, log: () => undefined, ...options });
  http = started;
  started.server.listen(0, '127.0.0.1');
  await once(started.server, 'listening');
  return (started.server.address() as AddressInfo).port;
}

async function startServer(which: (typeof servers)[number], options: Pick<HttpOptions, 'times'> = {}): Promise<number> {
  if (which === 'media server') return start(options);
  const nowhere = { livekit_url: 'http://127.0.0.1:9', admission_url: 'http://127.0.0.1:9' };
  const secrets = { ...key, client_secret: key.api_secret };
  const started = await startSignalGateway({
    host: '127.0.0.1',
    port: 0,
    ...nowhere,
    ...secrets,
    log: () => undefined,
    ...options,
  });
  http = started;
  return started.port;
}

async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request over a connection. @returns the status of the response */
async function requestStatus(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1').slice(9, 12);
}

const tokenOf = (identity: string) => {
  const token = new AccessToken(key.api_key, key.api_secret, { identity });
  token.addGrant({ roomJoin: true, room: 'room' });
  return token.toJwt();
};

/** Opens a signal socket. @returns it, or the status of the refusal */
async function openSignal(port: number, token: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rtc?access_token=${token}`, { headers });
  return new Promise<WebSocket | number>((resolve) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_, response: IncomingMessage) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
}

/** Resolves when a socket is closed. A reset of the connection is not a failure here. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve());
  });

test.each(servers)('the connection of a request with slow headers or a slow body is closed: %s', async (which) => {
  const times = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 };
  const port = await startServer(which, { times });
  for (const beginning of [
    '',
    'GET / HTTP/1.1\r\nHost: ',
    'POST /twirp/livekit.RoomService/ListRooms HTTP/1.1\r\nHost: localhost\r\ncontent-length: 100000\r\n\r\n{',
  ]) {
    const socket = await open(port);
    socket.write(beginning);
    const interval = setInterval(() => beginning && socket.write('a'), 20);
    socket.resume();
    await closed(socket);
    clearInterval(interval);
  }
  expect(await requestStatus(await open(port))).toBe('200');
});

test('a failed accept does not end the server', () => {
  const server = createSignalServer({
    answer: () => undefined,
    upgrade: () => undefined,
    trust_proxy: false,
    log: () => undefined,
  });
  http = { close: async () => undefined };
  expect(() => server.emit('error', new Error('accept EMFILE'))).not.toThrow();
});

const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('0123456789abcdef')}\r\n`;

test.each(servers)('a request has one valid host, and so has an upgrade: %s', async (which) => {
  const port = await startServer(which);
  const answers = async (target: string, fields: string) => {
    const socket = await open(port);
    socket.write(`GET ${target} HTTP/1.1\r\n${fields}\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return data.toString('latin1').slice(9, 12);
  };
  for (const fields of ['Host: localhost\r\n', 'Host: [::1]:80\r\n']) {
    expect(await answers('/', fields)).toBe('200');
    expect(await answers('/rtc', fields + upgrade)).toBe('401');
  }
  for (const target of ['http://localhost/', 'http://LOCALHOST:80/'])
    expect(await answers(target, 'Host: localhost\r\n')).toBe('200');
  const invalid = [
    'Host: a\r\nHost: b\r\n',
    'Host: localhost\r\nhost: localhost\r\n',
    'Host: a b\r\n',
    'Host: a@b\r\n',
  ];
  for (const fields of invalid) {
    expect(await answers('/', fields)).toBe('400');
    expect(await answers('/rtc', fields + upgrade)).toBe('400');
  }
  for (const target of ['http://example.com/', 'http://localhost:81/'])
    expect(await answers(target, 'Host: localhost\r\n')).toBe('400');
});

test.each(servers)('connections per address are limited, and those of others are served: %s', async (which) => {
  const port = await startServer(which);
  for (let at = 0; at < LIMITS.connections_per_address; at++) await open(port);
  expect(await requestStatus(await open(port))).toBe('429');
  // A connection without a request is closed as well.
  const silent = await open(port);
  silent.resume();
  await closed(silent);
  expect(await requestStatus(await open(port, '127.0.0.2'))).toBe('200');
  sockets[0]?.destroy();
  await expect.poll(async () => requestStatus(await open(port))).toBe('200');
});

test('the oldest sockets of an identity are closed above the limit, and joins are rate limited', async () => {
  const port = await start();
  const token = await tokenOf('ann');
  const opened: WebSocket[] = [];
  const refused: number[] = [];
  for (let at = 0; at < LIMITS.joins_burst_of_identity * 2; at++) {
    const found = await openSignal(port, token);
    if (typeof found === 'number') refused.push(found);
    else opened.push(found);
  }
  expect(new Set(refused)).toEqual(new Set([429]));
  expect(opened.length).toBeGreaterThanOrEqual(LIMITS.joins_burst_of_identity);
  const alive = () => opened.map((socket) => socket.readyState === WebSocket.OPEN);
  await expect.poll(() => alive().filter(Boolean)).toHaveLength(LIMITS.signal_sockets_per_identity);
  expect(alive().slice(-LIMITS.signal_sockets_per_identity)).not.toContain(false);
  expect(await openSignal(port, await tokenOf('ben'))).toBeInstanceOf(WebSocket);
});

test.each([
  ['10.9.9.9, 203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:4321', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2001:0DB8:1:ffff:0:0:0:1', '2001:db8:1::/48'],
  ['[2001:db8::1]:4321', '2001:db8:0::/48'],
])('behind a proxy, %s in X-Forwarded-For is the network %s', async (forwarded, network) => {
  http = createHttpServer({ host, ...key, auto_create: true, log: () => undefined });
  const request = {
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '::ffff:127.0.0.1' },
  } as unknown as IncomingMessage;
  expect(new SignalAdmission(true).networkOf(request)).toBe(network);
  expect(new SignalAdmission(false).networkOf(request)).toBe('127.0.0.1');
});

test('joins per network are limited', async () => {
  http = createHttpServer({ host, ...key, auto_create: true, log: () => undefined });
  const admission = new SignalAdmission(true);
  const joins = Array.from({ length: LIMITS.joins_burst_of_address + 50 }, (_, at) =>
    admission.mayAsk('203.0.113.5', `user-${at}`),
  );
  expect(joins.at(-1)).toBe(false);
  expect(admission.mayAsk('203.0.113.6', 'user')).toBe(true);
});

test('the connection of a client that does not read its signals is closed', async () => {
  http = createHttpServer({ host, ...key, auto_create: true, log: () => undefined });
  const calls: string[] = [];
  const socket = (bufferedAmount: number) =>
    ({
      readyState: 1,
      OPEN: 1,
      bufferedAmount,
      send: () => calls.push('send'),
      terminate: () => calls.push('cut'),
    }) as unknown as SignalSocket;
  sendWithinLimit(socket(0), new Uint8Array(1));
  sendWithinLimit(socket(LIMITS.signal_buffered_bytes + 1), new Uint8Array(1));
  expect(calls).toEqual(['send', 'cut']);
});
