/** The behaviour of a phone participant on every media server: it sends and receives audio, sends DTMF, and leaves. */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { levelOf, PhoneParticipant } from '../../clients/phone/phone-participant.ts';
import type { JoinTarget } from './join.contract.ts';
import { hearFrom, publishTone, shareAt, until } from '../tones.ts';

const RATE_HZ = 8_000;

/** Sends a frame of a tone every 20 ms. @returns a function that stops it */
function sendTone(phone: PhoneParticipant, hertz: number): () => void {
  let phase = 0;
  const clock = setInterval(() => {
    const samples = new Int16Array(160);
    for (let at = 0; at < samples.length; at++, phase++)
      samples[at] = Math.round(9_000 * Math.sin((2 * Math.PI * hertz * phase) / RATE_HZ));
    phone.speak(samples);
  }, 20);
  return () => clearInterval(clock);
}

/** Declares the suite's tests. @param start starts the media server */
export function testPhoneParticipant(start: () => Promise<JoinTarget>): void {
  let target: JoinTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.close());

  const createToken = (identity: string, room: string) => {
    const token = new AccessToken(target.api_key, target.api_secret, { identity, name: identity, ttl: 60 });
    token.addGrant({ roomJoin: true, roomCreate: true, room });
    return token.toJwt();
  };

  async function enter(name: string) {
    const client = new Room();
    await client.connect(target.url.replace('http', 'ws'), await createToken('ann', name), {
      autoSubscribe: true,
      dynacast: false,
    });
    const frames: Int16Array[] = [];
    const ends: boolean[] = [];
    const phone = await PhoneParticipant.join(target.url, await createToken('phone', name), {
      onFrame: (samples) => void frames.push(samples),
      onEnd: (may_return) => void ends.push(may_return),
    });
    /** Whether the last 300 ms contain the tone. */
    const receivesTone = (hertz: number) => {
      const last = frames.slice(-15);
      return last.length === 15 && last.every((samples) => shareAt(samples, RATE_HZ, hertz) > 0.5);
    };
    return { client, phone, frames, ends, receivesTone };
  }

  test('is an active speaker, sends and receives audio, and receives silence as silence', async () => {
    const { client, phone, frames, receivesTone } = await enter(`voice-test-${process.pid}-1`);
    const speakers: string[] = [];
    client.on(RoomEvent.ActiveSpeakersChanged, (list: { identity: string }[]) =>
      speakers.push(...list.map(({ identity }) => identity)),
    );
    const stop = sendTone(phone, 700);
    expect(await hearFrom(client, 'phone', 700)).toBe(true);
    await until('the phone to be named as speaker', () => speakers.includes('phone'));
    stop();
    const tone = await publishTone(client, 440);
    await until('440 Hz at the phone', () => receivesTone(440));
    expect(levelOf(frames.at(-1) as Int16Array)).toBeLessThan(20);
    await tone.stop();
    await until('silence', () => frames.slice(-10).every((samples) => levelOf(samples) > 80));
    phone.leave();
    await until('the phone to leave', () => client.remoteParticipants.size === 0);
    await client.disconnect();
  });

  test('sends DTMF digits, and calls onEnd when it is removed', async () => {
    const { client, phone, ends } = await enter(`voice-test-${process.pid}-2`);
    const keys: string[] = [];
    client.on(RoomEvent.DtmfReceived, (code: number, digit: string) => void keys.push(`${code}${digit}`));
    phone.sendDigits('7*D');
    await until('three keys', () => keys.length === 3);
    expect(keys).toEqual(['77', '10*', '15D']);
    const service = new RoomServiceClient(target.url, target.api_key, target.api_secret);
    await service.removeParticipant(`voice-test-${process.pid}-2`, 'phone');
    await until('the end', () => ends.length > 0);
    expect(ends).toEqual([false]);
    phone.leave();
    expect(ends).toEqual([false]);
    await client.disconnect();
  });

  test('rejects an invalid token', async () => {
    const events = { onFrame: () => undefined, onEnd: () => expect.unreachable('it never joined') };
    await expect(PhoneParticipant.join(target.url, 'no-token', events)).rejects.toThrow();
  });
}
