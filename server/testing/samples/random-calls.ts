/** Random sequences of events in a call, applied by the call machine alone, and the invariants of every state. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { participant_transitions, terms, type ParticipantEvent } from '../../domain/calls/state/call-machine.ts';
import {
  isIn,
  isPresent,
  openUpdate,
  type CallLike,
  type ParticipantLike,
} from '../../domain/calls/state/transition.ts';
import { after } from '../../kernel/time.ts';

/** When each call begins. */
export const start = new Date('2026-01-01T00:00:00Z');

function createParticipant(at: number): ParticipantLike {
  return {
    id: `part_${at}`,
    user_id: at < 4 ? `usr_${at}` : null,
    state: at === 0 ? 'joining' : 'ringing',
    role: at === 0 ? 'host' : 'guest',
    invited: true,
    rung_at: at === 0 ? null : start,
    joining_at: null,
    joined_at: null,
    left_at: null,
    removed_at: null,
    grant_generation: 0,
  };
}

/** A call of the machine, without a database. */
export type Call = CallLike<ParticipantLike>;

/** A call in which the host, who joins first, rings all others. */
export const createCall = (size: number): Call => ({
  state: 'ringing',
  host_id: 'usr_0',
  ended_at: null,
  end_reason: null,
  empty_since: null,
  participants: Array.from({ length: size }, (_, at) => createParticipant(at)),
});

/** All events of the machine. */
export const events = [...new Set(participant_transitions.map(({ event }) => event))];

/** A random step: an event of one participant, the end, or only time. */
export const step = fc.record({
  who: fc.nat(4),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<ParticipantEvent | 'hung_up' | 'host_gone'>(...events) },
    { weight: 1, arbitrary: fc.constantFrom<ParticipantEvent | 'hung_up' | 'host_gone'>('hung_up', 'host_gone') },
  ),
  returned: fc.boolean(),
  // In bursts, with pauses that are longer than every term.
  pause_s: fc.constantFrom(0, 0, 0, 1, 5, 29, 31, 44, 46, 59, 61, 200),
});

type Step = { who: number; what: ParticipantEvent | 'hung_up' | 'host_gone'; returned: boolean; pause_s: number };

/** Runs the checks that the machine requests, as the job queue does, until a time. */
function runChecksUntil(call: Call, from: Date, until: Date, check: (now: Date) => void): void {
  let check_at = openUpdate<ParticipantLike, Call>(call, from).nextCheckAt();
  while (check_at && check_at <= until) {
    const update = openUpdate<ParticipantLike, Call>(call, check_at);
    update.settle();
    check(check_at);
    check_at = update.nextCheckAt();
  }
}

function run(size: number, steps: Step[], check: (call: Call, now: Date) => void): void {
  const call = createCall(size);
  let now = start;
  openUpdate<ParticipantLike, Call>(call, now).settle();
  for (const { who, what, returned, pause_s } of steps) {
    const next = after(now, pause_s);
    runChecksUntil(call, now, next, (at) => check(call, at));
    now = next;
    const update = openUpdate<ParticipantLike, Call>(call, now);
    const participant = call.participants[who % size];
    if (what === 'hung_up' || what === 'host_gone') update.end(what);
    else if (participant) update.apply(participant, what, returned ? { grant: 'returned' } : {});
    update.settle();
    check(call, now);
  }
  runChecksUntil(call, now, after(now, 600), (at) => check(call, at));
}

/** Runs `count` random sequences, and checks the invariants after every step. */
export function testRandomCalls(count: number): void {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { minLength: 1, maxLength: 25 }), (size, steps) => {
      run(size, steps, checkInvariants);
    }),
    { numRuns: count },
  );
}

function checkInvariants(call: Call, now: Date): void {
  const rings = call.participants.filter(({ state }) => state === 'ringing');
  const is_account_there = call.participants.some(({ state, user_id }) => state === 'joined' && user_id !== null);
  const is_anybody_there = is_account_there || rings.length > 0;
  if (call.state === 'ended') {
    expect(call.participants.filter(isPresent)).toEqual([]);
    expect([call.ended_at, call.end_reason].includes(null)).toBe(false);
    return;
  }
  expect(call.ended_at).toBeNull();
  // No ring exceeds its term.
  for (const { rung_at } of rings) expect(rung_at && after(rung_at, terms.ring_s) > now).toBe(true);
  // Participants who never request a grant are not waited for: a minute with nobody, or with phones alone, ends the
  // call.
  expect(is_anybody_there).toBe(call.empty_since === null);
  if (call.empty_since) expect(after(call.empty_since, terms.empty_s) > now).toBe(true);
  // One host, who has an account, and is in the call when any account is.
  const hosts = call.participants.filter(({ role }) => role === 'host');
  expect(hosts.map(({ user_id }) => user_id)).toEqual([call.host_id]);
  if (is_account_there) expect(hosts.some(isIn)).toBe(true);
  // It rings only until somebody has joined, and while somebody may still join.
  if (call.state === 'ringing') {
    expect(rings.some(({ role }) => role === 'guest')).toBe(true);
    expect(call.participants.some(({ role, joined_at }) => role === 'guest' && joined_at !== null)).toBe(false);
  }
  for (const participant of call.participants) {
    expect(participant.left_at !== null).toBe(!isPresent(participant));
    if (participant.state === 'joined') expect(participant.joined_at).not.toBeNull();
  }
}
