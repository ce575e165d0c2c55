import { networkInterfaces } from 'node:os';
import { SignalResponse } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu, type Sfu } from './index.ts';
import { hearFrom, publishTone } from './testing/tones.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const has_ipv6 = Object.values(networkInterfaces()).some((entries) =>
  entries?.some(({ address }) => address === '::1'),
);

describeUnlessMissing(has_ipv6 ? undefined : 'IPv6 on loopback', 'a call over IPv6', () => {
  let sfu: Sfu;
  beforeAll(async () => {
    sfu = await startSfu({ host: '::1', port: 0, ...key });
  });
  afterAll(() => sfu.close());

  const createToken = (identity: string) => {
    const token = new AccessToken(key.api_key, key.api_secret, { identity, ttl: 600 });
    token.addGrant({ roomJoin: true, room: 'ipv6' });
    return token.toJwt();
  };
  async function connect(identity: string): Promise<Room> {
    const room = new Room();
    const options = { autoSubscribe: true, dynacast: false };
    await room.connect(sfu.url.replace('http', 'ws'), await createToken(identity), options);
    return room;
  }

  test('the server offers candidates on ::1 only', async () => {
    const socket = new WebSocket(`${sfu.url.replace('http', 'ws')}/rtc?access_token=${await createToken('eve')}`);
    const sdp = await new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { message } = SignalResponse.fromBinary(data);
        if (message.case === 'offer') resolve(message.value.sdp);
      });
    });
    socket.terminate();
    const addresses = [...sdp.matchAll(/^a=candidate:(?:\S+ ){4}(\S+)/gm)].map(([, address]) => address);
    expect(new Set(addresses)).toEqual(new Set(['::1']));
  });

  test('signalling and audio use ::1 only', async () => {
    expect(sfu.url).toContain('[::1]');
    const [a, b] = [await connect('alice'), await connect('bob')];
    const tones = [await publishTone(a, 440), await publishTone(b, 660)];
    expect(await Promise.all([hearFrom(a, 'bob', 660), hearFrom(b, 'alice', 440)])).toEqual([true, true]);
    for (const tone of tones) await tone.stop();
    await Promise.all([a.disconnect(), b.disconnect()]);
  });
});
