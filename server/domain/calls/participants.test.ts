import { describe, expect, it } from 'vitest';
import { default_limits } from '../../kernel/load/limits.ts';
import type { CallRow } from './calls.ts';
import { newParticipant, hasCapacity } from './participants.ts';

describe('hasCapacity', () => {
  it('counts all whom a call has had, also those who have left it', () => {
    const gone = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...newParticipant(`part_${at}`, null, 'Gone'), state: 'left' }));
    const call = (count: number) => ({ participants: gone(count) }) as CallRow;
    const most = default_limits.call_participants;
    expect([hasCapacity(call(most - 1), 1), hasCapacity(call(most), 1), hasCapacity(call(most), 0)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
