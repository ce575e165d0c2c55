/**
 * Clients of the service itself: an attacker on the path ends their first handshake with the media server by one forged message.
 * That handshake is lost, so they connect again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSfu } from '../index.ts';
import { startNetworkPath, type NetworkPath } from '../testing/network-path.ts';
import { publishTone, until } from '../testing/tones.ts';
import { askForRooms } from '../testing/ask-for-rooms.ts';
import { PhoneParticipant } from './phone/phone-participant.ts';
import { Recorder } from './recorder/recorder.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
/** The type of a ServerHello (RFC 5246, 7.4), and where its random is in a datagram that begins with it. */
const SERVER_HELLO = 2;
const RANDOM_AT = 13 + 12 + 2;
const WITHIN_MS = 15_000;

const isServerHello = (data: Buffer) => data[0] === 22 && data.readUInt16BE(3) === 0 && data[13] === SERVER_HELLO;

describe('a handshake that one forged ServerHello ends', () => {
  let sfu: Awaited<ReturnType<typeof startSfu>>;
  let path: NetworkPath;
  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, departure_timeout_s: 20, empty_timeout_s: 20 });
    path = await startNetworkPath(sfu.url);
  });
  afterAll(async () => {
    await path.close();
    await sfu.close();
  });

  const createToken = (identity: string, room: string) => {
    const token = new AccessToken(key.api_key, key.api_secret, { identity, name: identity, ttl: 60 });
    token.addGrant({ roomJoin: true, roomCreate: true, room });
    return token.toJwt();
  };

  /** Delivers a forged ServerHello before the first genuine one. @returns how many were forged */
  function forgeOnce() {
    const count = { forged: 0 };
    path.tamper = (data) => {
      if (count.forged > 0 || !isServerHello(data)) return [data];
      count.forged++;
      const forged = Buffer.from(data);
      forged.fill(0xff, RANDOM_AT, RANDOM_AT + 32);
      return [forged, data];
    };
    return count;
  }

  async function enterAndPlay(room: string) {
    const client = new Room();
    await client.connect(sfu.url.replace('http', 'ws'), await createToken('ann', room), {
      autoSubscribe: true,
      dynacast: false,
    });
    return { client, tone: await publishTone(client, 440) };
  }

  test('is tried again by a recorder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    const { client, tone } = await enterAndPlay('recorded');
    const count = forgeOnce();
    const recorder = new Recorder({ url: path.url, ...key, folder, hasRoom: askForRooms({ url: path.url, ...key }) });
    await recorder.start('recorded', 'rec_1');
    const started_at_ms = performance.now();
    await until(
      'a track',
      async () => (await recorder.find('rec_1'))?.tracks.some((one) => one.duration_ms > 500) ?? false,
      50_000,
    );
    const took = performance.now() - started_at_ms;
    expect(count.forged).toBe(1);
    expect(took).toBeLessThan(WITHIN_MS);
    await recorder.close();
    await tone.stop();
    await client.disconnect();
    await rm(folder, { recursive: true });
  });

  test('ends the session of a phone, which may join again', async () => {
    const { client, tone } = await enterAndPlay('phoned');
    const count = forgeOnce();
    const ends: boolean[] = [];
    let loud = 0;
    const enter = async () =>
      PhoneParticipant.join(path.url, await createToken('phone', 'phoned'), {
        onFrame: (samples) => void (samples.some((one) => Math.abs(one) > 1_000) && loud++),
        onEnd: (may_return) => void ends.push(may_return),
      });
    await enter();
    const started_at_ms = performance.now();
    await until('its end', () => ends.length > 0, 50_000);
    const took = performance.now() - started_at_ms;
    expect([count.forged, ends]).toEqual([1, [true]]);
    expect(took).toBeLessThan(WITHIN_MS);
    const again = await enter();
    await until('audio', () => loud > 10);
    again.leave();
    await tone.stop();
    await client.disconnect();
  });
});
