import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SignalAdmission } from './connection-limits.ts';
import { sendBounded } from './connect.ts';
import type { RoomHost } from './room-host.ts';
import type { SignalSocket } from './signal-socket.ts';
import { createHttpServer, type HttpOptions, type HttpServer } from './http-server.ts';
import { LIMITS } from '../limits.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const host = { serve: async () => undefined } as unknown as RoomHost;
let http: HttpServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close();
});

async function start(options: Partial<HttpOptions> = {}): Promise<number> {
  http = createHttpServer({ host, ...key, auto_create: true, log: () => undefined, ...options });
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  return (http.server.address() as AddressInfo).port;
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

test('the connection of a request with slow headers or a slow body is closed', async () => {
  const times = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 };
  const port = await start({ times });
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
  // A failed accept does not end the server.
  expect(() => http.server.emit('error', new Error('accept EMFILE'))).not.toThrow();
});

test('connections per address are limited, and those of other addresses are served', async () => {
  const port = await start();
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

test('behind a proxy, the address is the last one in X-Forwarded-For', async () => {
  http = createHttpServer({ host, ...key, auto_create: true, log: () => undefined });
  const request = {
    headers: { 'x-forwarded-for': '10.9.9.9, 203.0.113.5' },
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as IncomingMessage;
  expect(new SignalAdmission(true).addressOf(request)).toBe('203.0.113.5');
  expect(new SignalAdmission(false).addressOf(request)).toBe('127.0.0.1');
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
  sendBounded(socket(0), new Uint8Array(1));
  sendBounded(socket(LIMITS.signal_buffered_bytes + 1), new Uint8Array(1));
  expect(calls).toEqual(['send', 'cut']);
});
