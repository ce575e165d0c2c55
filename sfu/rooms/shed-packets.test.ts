import { AddTrackRequest, ParticipantInfo_State, TrackSource, TrackType } from '@livekit/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sharePackets } from '../forwarding/packet-budget.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import type { ConnectionEvents, MediaConnection } from '../forwarding/rtp-engine.ts';
import { LIMITS } from '../limits.ts';
import { createFakeConnection, createFakeRegistry, member_grants } from '../testing/fake-registry.ts';
import type { Registry } from './registry.ts';
import type { Participant } from './participant.ts';
import { slow } from '../../testing/slow-tests.ts';

const STEP_MS = 20;
let registry: Registry;
/** The packets sent to all receivers, by the id of their track. */
let sent: Map<string, number>;
const created: ConnectionEvents[] = [];

beforeEach(() => {
  sent = new Map();
  let ssrc = 0;
  const addOutgoing: MediaConnection['addOutgoing'] = (_kind, { track_id }) => ({
    ssrc: ++ssrc,
    mid: String(ssrc),
    isAnswered: () => true,
    takesRed: () => false,
    send: () => void sent.set(track_id, (sent.get(track_id) ?? 0) + 1),
    resend: () => undefined,
    sendReport: () => undefined,
    stop: () => undefined,
  });
  registry = createFakeRegistry((events) => (created.push(events), createFakeConnection({ addOutgoing })));
});
afterEach(() => {
  registry.close();
  vi.useRealTimers();
});

/** The packets of a stream in each step: an audio stream, and the layers of a camera, from low to high. */
type Rates = { voice?: number; layers?: number[]; source?: TrackSource };
type Sender = { participant: Participant; voice: PublishedTrack | undefined; camera: PublishedTrack | undefined };

/** Adds people to a room who hear and see each other. @returns them, and what sends their media of one step */
async function enter(room: string, people: Rates[]) {
  const steps: ((step: number) => void)[] = [];
  const senders: Sender[] = [];
  for (const [index, { voice = 0, layers = [], source = TrackSource.CAMERA }] of people.entries()) {
    const joined = await registry.join({ ...member_grants, identity: `${room} ${index}`, room }, true);
    if (!joined) throw new Error('the room is full');
    const { participant } = joined;
    const [publisher_events, subscriber_events] = created.splice(0);
    participant.state = ParticipantInfo_State.JOINED;
    subscriber_events?.onState('connected');
    const announce = (type: TrackType, cid: string) =>
      participant.announceTrack(new AddTrackRequest({ cid, type, source: type === TrackType.AUDIO ? 2 : source }));
    const sender = {
      participant,
      voice: voice > 0 ? announce(TrackType.AUDIO, 'voice') : undefined,
      camera: layers.length > 0 ? announce(TrackType.VIDEO, 'camera') : undefined,
    };
    const sections = [sender.voice, sender.camera].flatMap((track) =>
      track ? [{ mid: track.kind, kind: track.kind, track_id: track.cid, sends: true, ssrcs: [], rids: [] }] : [],
    );
    for (const track of participant.publisher.bindSections(sections).started)
      joined.room.trackStarted(participant, track);
    senders.push(sender);
    const stream = (ssrc: number, count: number, about: { mid: string; rid?: string; level_db?: number }) => {
      const codec = about.mid === 'audio' ? ('opus' as const) : ('vp8' as const);
      const payload = Buffer.from([0x10, 0, 1, 2, 3]);
      return (step: number) => {
        for (let at = 0; at < count; at++) {
          if (!publisher_events?.mayAdmitRtp(ssrc, 1_000) || !publisher_events.admitRtp(ssrc, 1_000)) continue;
          const numbers = { sequence: (step * count + at) & 0xffff, timestamp: step * 960 + at };
          publisher_events.onRtp({ ssrc, codec, ...numbers, marker: true, payload, ...about });
        }
      };
    };
    if (voice > 0) steps.push(stream(1, voice, { mid: 'audio', level_db: 10 }));
    layers.forEach((count, at) => steps.push(stream(10 + at, count, { mid: 'video', rid: 'qhf'.charAt(at) })));
  }
  return { senders, send: (step: number) => steps.forEach((sendStep) => sendStep(step)) };
}

let step = 0;
/** Sends for some seconds. @returns the packets sent in each, of all tracks or of those given */
function run(seconds: number, rooms: { send(step: number): void }[], countOf = () => [...sent.values()]): number[] {
  const count = () => countOf().reduce((sum, packets) => sum + packets, 0);
  return Array.from({ length: seconds }, () => {
    const before = count();
    for (let until = step + 1_000 / STEP_MS; step < until; step++) {
      for (const { send } of rooms) send(step);
      vi.advanceTimersByTime(STEP_MS);
    }
    return count() - before;
  });
}
const countOf = (tracks: (PublishedTrack | undefined)[]) => () =>
  tracks.map((track) => sent.get(track?.info.sid ?? '') ?? 0);

test('a room whose senders are all at their limits keeps to its budget, and others lose nothing', slow, async () => {
  const flood = await enter(
    'flood',
    Array.from({ length: 25 }, () => ({ voice: 8, layers: [60] })),
  );
  const pair = await enter('pair', [
    { voice: 1, layers: [1, 2, 3] },
    { voice: 1, layers: [1, 2, 3] },
  ]);
  const ofPair = countOf(pair.senders.flatMap(({ voice, camera }) => [voice, camera]));
  const all = run(4, [flood, pair]);
  // The burst of the first second is a second of the budget; afterwards the rate is kept.
  expect(all[0]).toBeLessThan(2.2 * LIMITS.forwarded_packets_per_second);
  for (const packets of all.slice(2)) expect(packets).toBeLessThan(1.05 * LIMITS.forwarded_packets_per_second_total);
  expect(ofPair().reduce((sum, packets) => sum + packets, 0)).toBeGreaterThanOrEqual(4 * 2 * (50 + 150) - 20);
  const { shed_out } = registry.stats();
  expect(shed_out).toBeGreaterThan(100_000);
});

test('silent people lose detail first, speakers keep theirs, and no voice is lost', slow, async () => {
  const speakers = 3;
  // In all 38,250 packets a second, of which 2,250 are voices.
  const room = await enter(
    'large',
    Array.from({ length: 16 }, (_, index) => ({ voice: index < speakers ? 1 : 0, layers: [1, 1, 3] })),
  );
  const loud = room.senders.slice(0, speakers);
  run(4, [room]);
  expect(run(4, [room], countOf(loud.map(({ voice }) => voice)))).toEqual([2_250, 2_250, 2_250, 2_250]);
  expect(run(1, [room], countOf(loud.map(({ camera }) => camera)))).toEqual([speakers * 15 * 150]);
  const silent = room.senders.slice(speakers).map(({ camera }) => camera?.best_quality);
  // Eight of them in medium quality save 12,000 packets.
  expect(silent.toSorted()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  expect(run(1, [room])).toEqual([38_250 - 12_000]);
});

test('nobody in a room of twelve cameras, or with two hundred listeners, notices the budget', slow, async () => {
  const dozen = await enter(
    'dozen',
    Array.from({ length: 12 }, () => ({ voice: 1, layers: [1, 1, 3] })),
  );
  const seconds = run(5, [dozen]);
  expect(seconds.slice(1)).toEqual(Array.from({ length: 4 }, () => 12 * 11 * (50 + 150)));
  expect(registry.stats().shed_out).toBe(0);
  registry.rooms.get('dozen')?.finish();
  const audience = await enter(
    'audience',
    Array.from({ length: 200 }, (_, index) => ({ voice: index < 3 ? 1 : 0 })),
  );
  expect(run(4, [audience]).slice(1)).toEqual(Array.from({ length: 3 }, () => 3 * 199 * 50));
  expect(registry.stats().shed_out).toBe(0);
});

test('of too many voices the loudest are forwarded, and what was shed returns when there is room', slow, async () => {
  const hall = await enter(
    'hall',
    Array.from({ length: 100 }, (_, index) => ({ voice: index < 12 ? 1 : 0, layers: index === 99 ? [1, 1, 3] : [] })),
  );
  run(6, [hall]);
  const rates = hall.senders.slice(0, 12).map(({ voice }) => run(1, [hall], countOf([voice]))[0]);
  // Five voices to 99 people are 24,750 packets a second.
  expect(rates.filter((rate) => rate === 99 * 50)).toHaveLength(5);
  expect(rates.filter((rate) => rate === 0)).toHaveLength(7);
  expect(hall.senders[99]?.camera?.best_quality).toBe(-1);
  for (const { voice } of hall.senders) if (voice) voice.info.muted = true;
  run(6, [hall]);
  expect(hall.senders[99]?.camera?.best_quality).toBe(2);
  expect(run(1, [hall])).toEqual([99 * 150]);
});

test('packets of a thread are shared so that large rooms leave small ones theirs', () => {
  const { forwarded_packets_per_second: max, forwarded_packets_per_second_total: total } = LIMITS;
  expect(sharePackets([])).toBe(max);
  expect(sharePackets([10_000, 5_000, 10_000])).toBe(max);
  expect(sharePackets([1_000_000])).toBe(max);
  expect(sharePackets([1_000_000, 5_000])).toBe(total - 5_000);
  expect(sharePackets([1_000_000, 1_000, 900_000])).toBe((total - 1_000) / 2);
});
