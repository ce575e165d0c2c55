import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { AddTrackRequest, SessionDescription, SignalRequest, SignalResponse } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu, type Sfu } from './index.ts';
import { createBindingRequest } from './testing/binding-request.ts';
import { randomFrom, seedOf } from '../testing/seed.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';
let sfu: Sfu;
beforeAll(async () => {
  sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret });
});
afterAll(() => sfu.close());

/** Joins a room. @returns the socket and the first offer of the server */
async function openSignal(identity: string): Promise<{ socket: WebSocket; offer: string }> {
  const token = new AccessToken(api_key, api_secret, { identity });
  token.addGrant({ roomJoin: true, room: 'hostile' });
  const socket = new WebSocket(`${sfu.url.replace('http', 'ws')}/rtc?access_token=${await token.toJwt()}`);
  socket.on('error', () => undefined);
  const offer = await new Promise<string>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { message } = SignalResponse.fromBinary(data);
      if (message.case === 'offer') resolve(message.value.sdp);
    });
  });
  return { socket, offer };
}

/** Sends a ping over a socket. @returns the time from the response */
async function ping(socket: WebSocket): Promise<number> {
  const pong = new Promise<bigint>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { message } = SignalResponse.fromBinary(data);
      if (message.case === 'pong') resolve(message.value);
    });
  });
  socket.send(new SignalRequest({ message: { case: 'ping', value: 1n } }).toBinary());
  return Number(await pong);
}

function garble(sdp: string, random: () => number): string {
  const lines = sdp.split('\r\n');
  for (let change = 0; change < 1 + random() * 6; change++) {
    const at = Math.floor(random() * lines.length);
    const kind = random();
    if (kind < 0.3) lines.splice(at, 1);
    else if (kind < 0.6) lines[at] = (lines[at] ?? '').slice(0, Math.floor(random() * 20));
    else if (kind < 0.8) lines.push(lines[at] ?? '');
    else lines[at] = `m=video 9 UDP/TLS/RTP/SAVPF 96 ${random()}`;
  }
  return lines.join('\r\n').replace('actpass', random() < 0.5 ? 'active' : 'actpass');
}

test('garbled offers and answers do not affect other clients', async () => {
  const random = randomFrom(seedOf(7).seed);
  const bystander = await openSignal('bystander');
  for (let round = 0; round < 60; round++) {
    const { socket, offer } = await openSignal(`mallory-${round % 5}`);
    const type = round % 2 === 0 ? 'offer' : 'answer';
    const value = new SessionDescription({ type, sdp: garble(offer, random), id: 1 });
    socket.send(
      new SignalRequest({
        message: { case: 'addTrack', value: new AddTrackRequest({ cid: String(random()) }) },
      }).toBinary(),
    );
    socket.send(new SignalRequest({ message: { case: type, value } }).toBinary());
    // The close frame follows the others, so that the server has read them all.
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }
  expect(bystander.socket.readyState).toBe(WebSocket.OPEN);
  expect(await ping(bystander.socket)).toBeGreaterThan(0);
}, 30_000);

test('garbled handshakes and media from a joined client do not affect other clients', async () => {
  const random = randomFrom(seedOf(11).seed);
  const bystander = await openSignal('bystander');
  const { socket, offer } = await openSignal('mallory');
  const find = (pattern: RegExp) => pattern.exec(offer)?.[1] ?? '';
  const check = createBindingRequest(find(/a=ice-ufrag:(\S+)/), find(/a=ice-pwd:(\S+)/), true);
  // The answer starts the handshake.
  const answer = offer.replaceAll('a=setup:actpass', 'a=setup:active').replace(/^a=(ice-lite|candidate.*)\r\n/gm, '');
  const value = new SessionDescription({ type: 'answer', sdp: answer, id: 1 });
  socket.send(new SignalRequest({ message: { case: 'answer', value } }).toBinary());
  const udp = createSocket('udp4');
  const port = Number(find(/a=candidate:\d+ 1 udp \d+ \S+ (\d+)/));
  const send = (data: Buffer) => udp.send(data, port, '127.0.0.1');
  const answered = once(udp, 'message');
  send(check);
  await answered;
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(Array.from({ length: 13 + Math.floor(random() * 120) }, () => random() * 256));
    // Handshake records (RFC 6347, 4.1) with a valid length, every second one a ClientHello, and some media packets.
    bytes.set([22, 254, 253, 0, 0, 0, 0, 0, 0, 0, round & 0xff, 0, bytes.length - 13]);
    if (round % 2 === 0 && bytes.length > 30)
      bytes.set([1, 0, 0, bytes.length - 25, 0, 0, 0, 0, 0, 0, 0, bytes.length - 25], 13);
    if (round % 5 === 0) bytes.set([0x80, 200 + (round % 8)]);
    send(bytes);
  }
  const again = once(udp, 'message');
  send(check);
  await again;
  udp.close();
  expect(await ping(bystander.socket)).toBeGreaterThan(0);
  socket.close();
  bystander.socket.close();
}, 30_000);
