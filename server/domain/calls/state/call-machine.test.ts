import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { after } from '../../../kernel/time.ts';
import { events, testRandomCalls, createCall, start, step, type Call } from '../../../testing/samples/random-calls.ts';
import {
  call_transitions,
  nextCallState,
  nextTransition,
  participant_transitions,
  participant_states,
} from './call-machine.ts';
import { openUpdate, type ParticipantLike } from './transition.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('the call machine', () => {
  it('keeps every invariant in a thousand random calls', slow, () => testRandomCalls(1000));

  it('stays ended after any further events', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.array(step, { maxLength: 10 }), (before, later) => {
        const call = createCall(3);
        openUpdate<ParticipantLike, Call>(call, start).end('hung_up');
        const ended = structuredClone(call);
        for (const { who, what } of [...before, ...later]) {
          const update = openUpdate<ParticipantLike, Call>(call, after(start, 100));
          const participant = call.participants[who % 3];
          if (what === 'hung_up' || what === 'host_gone') update.end(what);
          else if (participant) update.apply(participant, what);
          update.settle();
          expect([update.hasChanged(), update.effects]).toEqual([false, []]);
        }
        expect(call).toEqual(ended);
      }),
      { numRuns: 200 },
    );
  });

  it('silences a ring exactly once for each time it rang', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const call = createCall(3);
        const [rings, silences] = [new Map<string, number>(), new Map<string, number>()];
        const count = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
        for (const participant of call.participants) if (participant.state === 'ringing') count(rings, participant.id);
        for (const { who, what } of [...steps, { who: 0, what: 'hung_up' as const }]) {
          const update = openUpdate<ParticipantLike, Call>(call, start);
          const participant = call.participants[who % 3];
          if (what === 'hung_up' || what === 'host_gone') update.end(what);
          else if (participant && update.apply(participant, what) && participant.state === 'ringing')
            count(rings, participant.id);
          update.settle();
          for (const { kind, of } of update.effects) if (kind === 'silence') count(silences, of.id);
        }
        expect(silences).toEqual(rings);
      }),
      { numRuns: 500 },
    );
  });

  it('has only known states, and at most one transition for an event in each state', () => {
    for (const { from, to } of participant_transitions)
      for (const state of [...from, to]) expect(participant_states).toContain(state);
    for (const state of participant_states) {
      for (const event of events) {
        const meanings = participant_transitions.filter(
          (transition) => transition.event === event && (transition.from as readonly string[]).includes(state),
        );
        expect(meanings.length).toBeLessThan(2);
        expect(nextTransition(state, event)).toBe(meanings[0]);
      }
    }
    for (const { event } of call_transitions) expect(nextCallState('ended', event)).toBeUndefined();
  });
});
