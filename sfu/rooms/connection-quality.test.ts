import { ConnectionQuality, ParticipantInfo_State } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { ConnectionQualities } from './connection-quality.ts';

type Line = { up: number; down: number; silent?: boolean; hidden?: boolean };

/** Participants whose lines lose these shares. */
const peopleOf = (lines: Record<string, Line>) =>
  Object.entries(lines).map(([sid, line]) => ({
    sid,
    state: ParticipantInfo_State.ACTIVE,
    permission: { hidden: line.hidden ?? false } as never,
    isMediaSilent: () => line.silent ?? false,
    publisher: { lost_share: line.up },
    subscriber: { lostShare: () => line.down },
  }));

describe('the quality of lines', () => {
  const gradesOf = (lines: Record<string, Line>, board = new ConnectionQualities(), at_ms = 10_000) =>
    board.update(peopleOf(lines), at_ms)?.updates.map(({ participantSid, quality }) => [participantSid, quality]);

  it('grades each by what its own line loses, either way', () => {
    const grades = gradesOf({
      good: { up: 0, down: 0.02 },
      fair: { up: 0.05, down: 0 },
      poor: { up: 0, down: 0.3 },
      lost: { up: 0, down: 0, silent: true },
      hidden: { up: 0.5, down: 0, hidden: true },
    });
    expect(grades).toEqual([
      ['good', ConnectionQuality.EXCELLENT],
      ['fair', ConnectionQuality.GOOD],
      ['poor', ConnectionQuality.POOR],
      ['lost', ConnectionQuality.LOST],
    ]);
  });

  it('tells of changes alone, every two seconds at the most, and of newcomers', () => {
    const board = new ConnectionQualities();
    const calm = { a: { up: 0, down: 0 } };
    expect(gradesOf(calm, board, 10_000)).toEqual([['a', ConnectionQuality.EXCELLENT]]);
    expect(gradesOf(calm, board, 12_000)).toBeUndefined();
    const bad = { a: { up: 0.5, down: 0 } };
    expect(gradesOf(bad, board, 12_500)).toBeUndefined();
    expect(gradesOf(bad, board, 14_000)).toEqual([['a', ConnectionQuality.POOR]]);
    expect(gradesOf({ ...bad, b: { up: 0, down: 0 } }, board, 16_000)).toHaveLength(2);
    // It recovers within a few measurements, and not at the first good one.
    expect(gradesOf({ ...calm, b: { up: 0, down: 0 } }, board, 18_000)).toBeUndefined();
    expect(gradesOf({ ...calm, b: { up: 0, down: 0 } }, board, 20_000)?.[0]).toEqual(['a', ConnectionQuality.GOOD]);
  });
});
