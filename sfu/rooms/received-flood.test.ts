/** Rooms in which many send as much as they may, and what that leaves to others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConnectionEvents } from '../forwarding/rtp-engine.ts';
import { LIMITS } from '../limits.ts';
import { createFakeConnection, createFakeRegistry, member_grants } from '../testing/fake-registry.ts';
import { slow } from '../../testing/slow-tests.ts';
import type { Registry } from './registry.ts';

const STEP_MS = 20;
let registry: Registry;
const created: ConnectionEvents[] = [];

beforeEach(() => {
  registry = createFakeRegistry((events) => (created.push(events), createFakeConnection()));
});
afterEach(() => {
  registry.close();
  created.length = 0;
  vi.useRealTimers();
});

/** One who sends so many packets in each step, by the way that a connection asks before and after it decrypts one. */
type Sender = { events: ConnectionEvents; rate: number; kind: 'rtp' | 'rtcp'; admitted: number; asked: number };

async function join(room: string, identity: string, rate: number, kind: Sender['kind'] = 'rtp'): Promise<Sender> {
  const at = created.length;
  await registry.join({ ...member_grants, identity, room }, true);
  return { events: created[at] as ConnectionEvents, rate, kind, admitted: 0, asked: 0 };
}

function sendOne(sender: Sender): void {
  const { events, kind } = sender;
  const now_ms = performance.now();
  const is_admitted =
    kind === 'rtp' ? events.mayAdmitRtp(1, 100) && events.admitRtp(1, 100) : events.received.take(now_ms);
  sender.asked++;
  if (is_admitted) sender.admitted++;
}

/** The packets of all senders within a time, in turn. */
function run(senders: Sender[], duration_ms: number): void {
  for (const sender of senders) sender.admitted = sender.asked = 0;
  for (let step = 0; step < duration_ms / STEP_MS; step++) {
    const max = Math.max(...senders.map(({ rate }) => rate));
    for (let turn = 0; turn < max; turn++) for (const sender of senders) if (turn < sender.rate) sendOne(sender);
    vi.advanceTimersByTime(STEP_MS);
  }
}

const sum = (senders: Sender[]) => senders.reduce((total, { admitted }) => total + admitted, 0);
async function joinMany(room: string, count: number, rate: number, kind?: Sender['kind']): Promise<Sender[]> {
  const senders: Sender[] = [];
  while (senders.length < count) senders.push(await join(room, `${senders.length} ${rate}`, rate, kind));
  return senders;
}
/** Packets in 20 ms: of a voice, and of a camera in three layers. */
const [VOICE, CAMERA, FLOOD] = [1, 7, 60];

test.each(['rtp', 'rtcp'] as const)('a flood of %s by a room takes nothing from another one', slow, async (kind) => {
  const innocent = [...(await joinMany('quiet', 10, VOICE)), ...(await joinMany('cameras', 10, CAMERA))];
  run(innocent, 1_000);
  const flooding = await joinMany('flood', 200, FLOOD, kind);
  const all = [...flooding, ...innocent];
  run(all, 1_000);
  expect(innocent.filter(({ asked, admitted }) => admitted < asked)).toEqual([]);
  // Decrypting the flood would take several processors: 600,000 packets a second.
  run(all, 2_000);
  expect(innocent.filter(({ asked, admitted }) => admitted < asked)).toEqual([]);
  expect(sum(flooding) / 2).toBeLessThan(1.1 * LIMITS.received_packets_per_second);
});

test('rooms that flood at once do not exceed what a thread receives, nor take from one another', slow, async () => {
  const innocent = await joinMany('quiet', 20, VOICE);
  const floods: Sender[][] = [];
  for (let number = 1; number <= 4; number++) floods.push(await joinMany(`flood ${number}`, 50, FLOOD));
  const all = [...floods.flat(), ...innocent];
  run(all, 1_000);
  run(all, 2_000);
  expect(innocent.filter(({ asked, admitted }) => admitted < asked)).toEqual([]);
  expect(sum(all) / 2).toBeLessThan(1.1 * LIMITS.received_packets_per_second_total);
  const of_each = floods.map(sum);
  expect(Math.min(...of_each) / Math.max(...of_each)).toBeGreaterThan(0.9);
});

test('within a room, those who send less than an equal share lose nothing', slow, async () => {
  const flooding = await joinMany('room', 150, FLOOD);
  const talking = await joinMany('room', 50, VOICE);
  const all = [...flooding, ...talking];
  run(all, 1_000);
  run(all, 2_000);
  expect(talking.filter(({ asked, admitted }) => admitted < asked)).toEqual([]);
  expect(sum(all) / 2).toBeLessThan(1.1 * LIMITS.received_packets_per_second);
});

test('a room in which everybody talks, and twelve have cameras, loses nothing', slow, async () => {
  const all = [...(await joinMany('room', 12, CAMERA)), ...(await joinMany('room', 188, VOICE))];
  run(all, 3_000);
  expect(all.filter(({ asked, admitted }) => admitted < asked)).toEqual([]);
});
