import { once } from 'node:events';
import { SignalResponse } from '@livekit/protocol';
import { AccessToken, TrackSource } from 'livekit-server-sdk';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu } from '../index.ts';
import { renewToken, verifyToken } from '../token.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';

const token = new AccessToken(api_key, api_secret, { identity: 'alice', name: 'Alice', ttl: 20 });
token.addGrant({ roomJoin: true, room: 'long', canPublishData: false, canPublishSources: [TrackSource.MICROPHONE] });

test('a client receives a renewed token with the same rights and a later expiry, and can reconnect with it', async () => {
  const sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret });
  const open = (jwt: string) => new WebSocket(`${sfu.url.replace('http', 'ws')}/rtc?access_token=${jwt}`);
  const renewed = (socket: WebSocket) =>
    new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { message } = SignalResponse.fromBinary(data);
        if (message.case === 'refreshToken') resolve(message.value);
      });
    });
  const first = await token.toJwt();
  const socket = open(first);
  const [before, after] = [first, await renewed(socket)].map((jwt) => verifyToken(jwt, api_key, api_secret));
  expect({ ...after, expires_at_s: 0 }).toEqual({ ...before, expires_at_s: 0 });
  expect(after!.expires_at_s - before!.expires_at_s).toBeGreaterThan(200);
  const again = open(renewToken(after!, api_key, api_secret, 60));
  expect(await renewed(again)).toContain('.');
  const closed = once(again, 'close');
  again.close();
  await closed;
  await sfu.close();
});
