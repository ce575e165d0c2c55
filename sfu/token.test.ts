import { TrackSource } from '@livekit/protocol';
import { AccessToken, TrackSource as SdkSource } from 'livekit-server-sdk';
import { expect, test } from 'vitest';
import { createRateGate } from './limits.ts';
import { signToken, TokenError, verifyToken } from './token.ts';

const KEY = 'key';
const SECRET = 'a-secret-of-at-least-thirty-two-bytes!';
const verify = (token: string) => verifyToken(token, KEY, SECRET);

test('reads tokens of the SDK', async () => {
  const token = new AccessToken(KEY, SECRET, {
    identity: 'alice',
    name: 'Alice',
    metadata: 'm',
    attributes: { a: '1' },
    ttl: 60,
  });
  token.addGrant({
    roomJoin: true,
    room: 'r',
    canPublish: true,
    canPublishSources: [SdkSource.MICROPHONE],
    hidden: true,
  });
  expect(verify(await token.toJwt())).toMatchObject({
    identity: 'alice',
    name: 'Alice',
    metadata: 'm',
    attributes: { a: '1' },
    room: 'r',
    room_join: true,
    can_publish: true,
    can_subscribe: true,
    can_publish_data: true,
    can_publish_sources: [TrackSource.MICROPHONE],
    hidden: true,
  });
});

test('denied rights stay denied, and canPublishData defaults to canPublish', () => {
  const claims = { iss: KEY, sub: 'a', exp: Date.now() / 1000 + 60 };
  const read = (video: object) => verify(signToken({ ...claims, video }, SECRET));
  expect(read({ canPublish: false })).toMatchObject({
    can_publish: false,
    can_publish_data: false,
    can_subscribe: true,
  });
  expect(read({ canPublish: false, canPublishData: true }).can_publish_data).toBe(true);
  expect(read({ canSubscribe: false }).can_subscribe).toBe(false);
  expect(read({ roomAdmin: 'yes' }).room_admin).toBe(false);
});

test('a wrong key, secret, algorithm, format or time is rejected', () => {
  const now_s = Math.floor(Date.now() / 1000);
  const valid_claims = { iss: KEY, sub: 'a', exp: now_s + 60, video: {} };
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(valid_claims)).toString('base64url')}.`;
  const [header, body] = signToken(valid_claims, SECRET).split('.');
  const cases: [string, string][] = [
    [signToken(valid_claims, 'another secret'), 'signature'],
    [signToken({ ...valid_claims, iss: 'other' }, SECRET), 'issuer'],
    [signToken({ ...valid_claims, exp: now_s - 60 }, SECRET), 'expired'],
    [signToken({ ...valid_claims, exp: undefined }, SECRET), 'expired'],
    [signToken({ ...valid_claims, nbf: now_s + 60 }, SECRET), 'not yet'],
    [`${unsigned}AA`, 'algorithm'],
    [`${header}.${body}.`, 'malformed'],
    ['', 'malformed'],
    ['a.b.c', 'malformed'],
  ];
  for (const [token, text] of cases) {
    expect(() => verify(token)).toThrow(TokenError);
    expect(() => verify(token)).toThrow(text);
  }
  expect(verify(signToken(valid_claims, SECRET)).identity).toBe('a');
});

test('a rate gate allows the burst and then the rate', () => {
  const gate = createRateGate(10, 3);
  expect([1, 1, 1, 1].map(() => gate.take(1_000))).toEqual([true, true, true, false]);
  expect(gate.take(1_100)).toBe(true);
  expect(gate.take(1_100)).toBe(false);
});
