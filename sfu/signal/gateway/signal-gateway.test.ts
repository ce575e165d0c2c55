/** What is left at the LiveKit server of clients that the gateway connects to it, and who then do not connect. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { signToken } from '../../token.ts';
import { startSignalGateway, type Gateway } from './signal-gateway.ts';

const api_key = 'key';
const client_secret = 'another-secret-of-thirty-two-bytes!!!!';

/** The service, which admits everybody. */
const service = createServer((_request, response) => response.writeHead(204).end());
/** LiveKit accepts signal sockets and sends nothing. */
const livekit = createServer();
const accepted = new WebSocketServer({ server: livekit });
let accepted_ever = 0;
let gateway: Gateway;

const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

beforeAll(async () => {
  accepted.on('connection', () => (accepted_ever += 1));
  gateway = await startSignalGateway({
    host: '127.0.0.1',
    port: 0,
    livekit_url: await listen(livekit),
    api_key,
    api_secret: 'a-secret-of-at-least-thirty-two-bytes!',
    client_secret,
    admission_url: await listen(service),
    log: () => undefined,
  });
});
beforeEach(() => {
  accepted_ever = 0;
});
afterAll(async () => {
  await gateway.close();
  accepted.close();
  livekit.close();
  service.close();
});

/** Sends the request for a signal socket. */
async function requestSignals(identity: string, version = 13): Promise<Socket> {
  const now_s = Date.now() / 1000;
  const claims = { iss: api_key, sub: identity, jti: 'ses_1.0', iat: now_s, exp: now_s + 60 };
  const token = signToken({ ...claims, video: { roomJoin: true, room: 'one' } }, client_secret);
  const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(
    `GET /rtc?access_token=${token} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\nSec-WebSocket-Version: ${version}\r\n\r\n`,
  );
  return socket;
}

const expectNoneLeft = () =>
  vi.waitFor(() => {
    expect(accepted_ever).toBe(1);
    expect(accepted.clients.size).toBe(0);
  });

test('a client whose handshake is invalid leaves no connection to LiveKit', async () => {
  const socket = await requestSignals('ada', 12);
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString('latin1')).toMatch(/^HTTP\/1\.1 400 /);
  await expectNoneLeft();
  socket.destroy();
});

test('a client that has closed its half leaves no connection to LiveKit', async () => {
  const socket = await requestSignals('ben');
  socket.end();
  await expectNoneLeft();
  socket.destroy();
});

test('a client that disconnects leaves no connection to LiveKit', async () => {
  const socket = await requestSignals('cleo');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
  expect(accepted.clients.size).toBe(1);
  socket.destroy();
  await expectNoneLeft();
});
