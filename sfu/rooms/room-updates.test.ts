/** What a room tells its participants about one another when some of them change all the time. */
import { AddTrackRequest, SessionDescription, SignalRequest, SignalResponse, TrackType } from '@livekit/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../limits.ts';
import { SignalSession } from '../signal/signal-session.ts';
import { createFakeConnection, createFakeRegistry, member_grants } from '../testing/fake-registry.ts';
import type { Participant } from './participant.ts';
import type { Registry } from './registry.ts';
import type { Room } from './room.ts';
import { slow } from '../../testing/slow-tests.ts';

let registry: Registry;
beforeEach(() => {
  registry = createFakeRegistry(() => createFakeConnection({ acceptOffer: () => '' }));
});
afterEach(() => {
  registry.close();
  vi.useRealTimers();
});

type Seen = { participant: Participant; room: Room; frames: Uint8Array[] };

async function enter(identity: string): Promise<Seen> {
  const found = await registry.join({ ...member_grants, identity, room: 'room' }, true);
  if (!found) throw new Error('the room is full');
  const frames: Uint8Array[] = [];
  found.participant.signal = { send: (bytes) => void frames.push(bytes), close: () => undefined };
  return { ...found, frames };
}

function announce({ participant }: Seen) {
  const track = participant.announceTrack(new AddTrackRequest({ cid: 'voice', type: TrackType.AUDIO }));
  if (!track) throw new Error('no track');
  track.mid = '1';
  return track;
}

/** The last that somebody was told of others: whether they are muted. */
function readMuted(frames: Uint8Array[]): Map<string, boolean | undefined> {
  const muted = new Map<string, boolean | undefined>();
  for (const frame of frames) {
    const { message } = SignalResponse.fromBinary(frame);
    if (message.case !== 'update') continue;
    for (const { identity, tracks } of message.value.participants) muted.set(identity, tracks[0]?.muted);
  }
  return muted;
}

test(
  'participants who mute and unmute without pause cost others a few messages a second, and their state arrives',
  slow,
  async () => {
    const people: Seen[] = [];
    for (let index = 0; index < 60; index++) people.push(await enter(`person ${index}`));
    const tracks = people.map(announce);
    const reader = people.at(-1) as Seen;
    const SECONDS = 10;
    for (let round = 0; round < SECONDS * LIMITS.signal_messages_per_second; round++) {
      for (const [index, { room, participant }] of people.entries())
        room.setMuted(participant, tracks[index] as (typeof tracks)[number], round % 2 === 1, false);
      vi.advanceTimersByTime(1_000 / LIMITS.signal_messages_per_second);
    }
    // 30,000 messages would be one for each change.
    const max = LIMITS.updates_burst_of_room + SECONDS * (LIMITS.updates_per_second_of_room + 2);
    expect(reader.frames.length).toBeLessThan(1.2 * max);
    vi.advanceTimersByTime(LIMITS.updates_interval_ms + 100);
    const last = people.map(({ participant: { identity } }, index) => [identity, tracks[index]?.info.muted]);
    expect([...readMuted(reader.frames)].sort()).toEqual(last.sort());
  },
);

test('what one participant changes now and then is sent at once, and the end of one who has changed much is final', async () => {
  const [ann, ben] = [await enter('ann'), await enter('ben')];
  const track = announce(ann);
  for (let count = 1; count <= 10; count++) {
    ann.room.setMuted(ann.participant, track, count % 2 === 1, false);
    expect(readMuted(ben.frames).get('ann')).toBe(count % 2 === 1);
  }
  for (let count = 0; count < 100; count++) ann.room.setMuted(ann.participant, track, count % 2 === 0, false);
  const before = ben.frames.length;
  ann.room.remove(ann.participant, 0);
  expect(ben.frames.length).toBe(before + 1);
  const after = ben.frames.length;
  vi.advanceTimersByTime(2 * LIMITS.updates_interval_ms);
  expect(readMuted(ben.frames.slice(after)).has('ann')).toBe(false);
});

test('a participant who starts and ends tracks without pause is disconnected', async () => {
  const ann = await enter('ann');
  const failed: unknown[] = [];
  const session = new SignalSession(ann.room, ann.participant, (error) => failed.push(error));
  const send = (message: ConstructorParameters<typeof SignalRequest>[0]) =>
    session.receive(Buffer.from(new SignalRequest(message).toBinary()), true);
  const offer = (direction: string) =>
    [
      'v=0',
      'a=group:BUNDLE 0',
      'a=fingerprint:sha-256 00:11',
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'a=mid:0',
      'a=rtpmap:111 opus/48000/2',
      `a=${direction}`,
      'a=msid:- voice',
      '',
    ].join('\r\n');
  for (let round = 0; round < LIMITS.track_changes_burst && failed.length === 0; round++) {
    send({ message: { case: 'addTrack', value: new AddTrackRequest({ cid: 'voice', type: TrackType.AUDIO }) } });
    for (const direction of ['sendonly', 'inactive'])
      send({ message: { case: 'offer', value: new SessionDescription({ type: 'offer', sdp: offer(direction) }) } });
    vi.advanceTimersByTime(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(failed.map(String)).toEqual(['HostileFrameError: too many tracks started and ended']);
});
