import { describe, expect, it } from 'vitest';
import { default_limits } from '../../kernel/load/limits.ts';
import type { CallRow } from './calls.ts';
import { blankParticipant, canTakeIn } from './participants.ts';

describe('canTakeIn', () => {
  it('counts all whom a call has had, also those who have left it', () => {
    const gone = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...blankParticipant(`part_${at}`, null, 'Gone'), state: 'left' }));
    const call = (count: number) => ({ participants: gone(count) }) as CallRow;
    const most = default_limits.call_participants;
    expect([canTakeIn(call(most - 1), 1), canTakeIn(call(most), 1), canTakeIn(call(most), 0)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
