import { once } from 'node:events';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  dispose,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu, type Sfu } from './index.ts';

const { LIVEKIT_TEST_URL, LIVEKIT_TEST_API_KEY, LIVEKIT_TEST_API_SECRET } = process.env;
const api_key = LIVEKIT_TEST_API_KEY ?? 'test-key';
const api_secret = LIVEKIT_TEST_API_SECRET ?? 'test-secret-of-at-least-thirty-two-bytes';
const RATE = 48_000;

/** Resolves when the condition holds, and fails after a bound with what was waited for. */
async function until(what: string, condition: () => boolean | Promise<boolean>, within_ms = 10_000): Promise<void> {
  const deadline = performance.now() + within_ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${within_ms} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function makeToken(identity: string, room: string, options: { secret?: string; ttl?: number; grant?: object } = {}) {
  const token = new AccessToken(api_key, options.secret ?? api_secret, { identity, ttl: options.ttl ?? 600 });
  token.addGrant({ roomJoin: true, room, ...options.grant });
  return token.toJwt();
}

/** Plays a sine tone into a source until stopped. */
function playTone(source: AudioSource, hertz: number): () => Promise<void> {
  const player = { playing: true };
  let phase = 0;
  const loop = (async () => {
    while (player.playing) {
      const frame = AudioFrame.create(RATE, 1, RATE / 100);
      for (let i = 0; i < frame.data.length; i++, phase++)
        frame.data[i] = Math.round(12_000 * Math.sin((2 * Math.PI * hertz * phase) / RATE));
      await source.captureFrame(frame);
    }
  })();
  return async () => {
    player.playing = false;
    await loop;
  };
}

/** Energy at a frequency (Goertzel), as a share of the frame's whole energy. */
function shareAt(samples: Int16Array, rate: number, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let previous = 0;
  let before = 0;
  let total = 0;
  for (const sample of samples) {
    const next = sample + coefficient * previous - before;
    before = previous;
    previous = next;
    total += sample * sample;
  }
  const power = previous ** 2 + before ** 2 - coefficient * previous * before;
  return total === 0 ? 0 : (2 * power) / (samples.length * total);
}

/** Reads a track until 300 ms in a row hold the tone. */
async function hearTone(track: RemoteTrack, hertz: number): Promise<boolean> {
  const reader = new AudioStream(track, RATE, 1).getReader();
  const deadline = performance.now() + 10_000;
  let heard_ms = 0;
  try {
    while (performance.now() < deadline) {
      const { value, done } = await reader.read();
      if (done || !value) return false;
      const is_tone = shareAt(value.data, RATE, hertz) > 0.5;
      heard_ms = is_tone ? heard_ms + (value.samplesPerChannel * 1000) / RATE : 0;
      if (heard_ms >= 300) return true;
    }
    return false;
  } finally {
    await reader.cancel();
  }
}

describe('two clients of the native SDK', () => {
  let sfu: Sfu | undefined;
  let url = LIVEKIT_TEST_URL ?? '';
  let rooms = 0;
  const open = new Set<Room>();
  const newRoom = () => `join-test-${process.pid}-${++rooms}`;

  beforeAll(async () => {
    if (url) return;
    sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret, departure_timeout_s: 1 });
    url = sfu.url;
  });
  afterAll(async () => {
    await Promise.all([...open].map((room) => room.disconnect()));
    await sfu?.close();
    await dispose();
  });

  async function connect(identity: string, room_name: string, grant = {}): Promise<Room> {
    const room = new Room();
    await room.connect(url.replace('http', 'ws'), await makeToken(identity, room_name, { grant }), {
      autoSubscribe: true,
      dynacast: false,
    });
    open.add(room);
    return room;
  }

  async function publishTone(room: Room, hertz: number) {
    const source = new AudioSource(RATE, 1);
    const track = LocalAudioTrack.createAudioTrack('tone', source);
    const options = new TrackPublishOptions();
    options.source = TrackSource.SOURCE_MICROPHONE;
    const publication = await room.localParticipant?.publishTrack(track, options);
    return { stop: playTone(source, hertz), publication, track };
  }

  test('B hears the tone that A plays, sees it muted and taken back, hears a second one, and sees A leave', async () => {
    const name = newRoom();
    const [a, b] = [await connect('alice', name), await connect('bob', name)];
    const subscribed = once(b, RoomEvent.TrackSubscribed);
    const speakers: string[] = [];
    b.on(RoomEvent.ActiveSpeakersChanged, (list: { identity: string }[]) =>
      speakers.push(...list.map((one) => one.identity)),
    );
    const { stop, publication } = await publishTone(a, 440);
    const [track] = (await subscribed) as [RemoteTrack];
    expect(await hearTone(track, 440)).toBe(true);
    await until('alice to be named as speaker', () => speakers.includes('alice'));
    const muted = once(b, RoomEvent.TrackMuted);
    const service = new RoomServiceClient(url, api_key, api_secret);
    await service.mutePublishedTrack(name, 'alice', publication?.sid ?? '', true);
    await muted;
    const unpublished = once(b, RoomEvent.TrackUnpublished);
    await a.localParticipant?.unpublishTrack(publication?.sid ?? '');
    await unpublished;
    const again = once(b, RoomEvent.TrackSubscribed);
    const second = await publishTone(a, 880);
    const [other] = (await again) as [RemoteTrack];
    expect(await hearTone(other, 880)).toBe(true);
    await second.stop();
    await stop();
    const left = once(b, RoomEvent.ParticipantDisconnected);
    await a.disconnect();
    const [participant] = (await left) as [{ identity: string }];
    expect(participant.identity).toBe('alice');
    await b.disconnect();
  });

  test('both hear each other, and one who comes later hears both', async () => {
    const name = newRoom();
    const [a, b] = [await connect('alice', name), await connect('bob', name)];
    const tones = [await publishTone(a, 440), await publishTone(b, 660)];
    const hears = async (room: Room, identity: string, hertz: number) => {
      const find = () =>
        [...(room.remoteParticipants.get(identity)?.trackPublications.values() ?? [])].find((entry) => entry.track)
          ?.track;
      await until(`a subscribed track of ${identity}`, () => find() !== undefined);
      return hearTone(find() as RemoteTrack, hertz);
    };
    expect(await hears(a, 'bob', 660)).toBe(true);
    expect(await hears(b, 'alice', 440)).toBe(true);
    const c = await connect('carol', name);
    expect(await hears(c, 'alice', 440)).toBe(true);
    expect(await hears(c, 'bob', 660)).toBe(true);
    for (const tone of tones) await tone.stop();
    await Promise.all([a, b, c].map((room) => room.disconnect()));
  });

  test('data goes to all, or only to those it is addressed to', async () => {
    const name = newRoom();
    const [a, b, c] = [await connect('alice', name), await connect('bob', name), await connect('carol', name)];
    const got: string[] = [];
    for (const [who, room] of [
      ['a', a],
      ['b', b],
      ['c', c],
    ] as const)
      room.on(RoomEvent.DataReceived, (payload: Uint8Array, from?: { identity: string }) =>
        got.push(`${who}<${from?.identity}:${Buffer.from(payload).toString()}`),
      );
    await until('all to see each other', () => a.remoteParticipants.size === 2 && b.remoteParticipants.size === 2);
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    await a.localParticipant?.publishData(bytes('all'), { reliable: true });
    await b.localParticipant?.publishData(bytes('back'), { reliable: true, destination_identities: ['alice'] });
    await a.localParticipant?.publishData(bytes('last'), { reliable: true });
    await until('five packets', () => got.length >= 5 && got.includes('c<alice:last'));
    expect(got.toSorted()).toEqual(['a<bob:back', 'b<alice:all', 'b<alice:last', 'c<alice:all', 'c<alice:last']);
    await Promise.all([a, b, c].map((room) => room.disconnect()));
  });

  test('a wrong, an expired and a roomless token are refused', async () => {
    const name = newRoom();
    const wrong = makeToken('eve', name, { secret: 'x'.repeat(40) });
    const expired = makeToken('eve', name, { ttl: -3600 });
    const roomless = makeToken('eve', name, { grant: { roomJoin: false } });
    for (const token of await Promise.all([wrong, expired, roomless])) {
      const reply = await fetch(`${url}/rtc/validate?access_token=${token}`);
      expect(reply.status).toBe(401);
      const socket = new WebSocket(`${url.replace('http', 'ws')}/rtc?access_token=${token}`);
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toContain('401');
    }
    await expect(new Room().connect(url.replace('http', 'ws'), await wrong)).rejects.toThrow();
  });

  test('a garbled frame closes that client only', async () => {
    const name = newRoom();
    const a = await connect('alice', name);
    for (const frame of [Buffer.alloc(600, 0xff), Buffer.from('0a'.repeat(4), 'hex')]) {
      const socket = new WebSocket(
        `${url.replace('http', 'ws')}/rtc?access_token=${await makeToken('mallory', name)}&protocol=16`,
      );
      await once(socket, 'message');
      const closed = once(socket, 'close');
      socket.send(frame);
      await closed;
    }
    const b = await connect('bob', name);
    const received = once(a, RoomEvent.DataReceived);
    await b.localParticipant?.publishData(new Uint8Array([1]), { reliable: true });
    await received;
    expect([...a.remoteParticipants.values()].map((entry) => entry.identity)).toContain('bob');
    await Promise.all([a.disconnect(), b.disconnect()]);
  });

  test('the same identity joining again disconnects the older', async () => {
    const name = newRoom();
    const first = await connect('alice', name);
    const gone = once(first, RoomEvent.Disconnected);
    const second = await connect('alice', name);
    await gone;
    expect(second.isConnected).toBe(true);
    await second.disconnect();
  });

  test('one without the right to publish cannot, and the room service sees and removes people', async () => {
    const name = newRoom();
    const a = await connect('alice', name, { canPublish: false });
    const service = new RoomServiceClient(url, api_key, api_secret);
    await until('alice to be listed', async () => (await service.listParticipants(name)).length === 1);
    const source = new AudioSource(RATE, 1);
    const options = new TrackPublishOptions();
    options.source = TrackSource.SOURCE_MICROPHONE;
    const refused = a.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('t', source), options);
    await expect(refused).rejects.toThrow();
    const gone = once(a, RoomEvent.Disconnected);
    await service.removeParticipant(name, 'alice');
    await gone;
    await until('the list to be empty', async () => (await service.listParticipants(name)).length === 0);
  });
});
