import { describe, expect, it } from 'vitest';
import { default_limits } from '../../kernel/load/limits.ts';
import type { CallRow } from './state/calls.ts';
import { newParticipant, hasCapacity } from './participants.ts';

describe('hasCapacity', () => {
  it('counts all participants of a call, including those who have left', () => {
    const gone = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...newParticipant(`part_${at}`, null, 'Gone'), state: 'left' }));
    const call = (count: number) => ({ participants: gone(count) }) as CallRow;
    const max_participants = default_limits.call_participants;
    expect([
      hasCapacity(call(max_participants - 1), 1),
      hasCapacity(call(max_participants), 1),
      hasCapacity(call(max_participants), 0),
    ]).toEqual([true, false, true]);
  });
});
