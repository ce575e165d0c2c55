import { ConnectionQuality, ParticipantInfo_State } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { ConnectionQualities } from './connection-quality.ts';

type Loss = { up: number; down: number; silent?: boolean; hidden?: boolean };

/** Creates participants whose connections have the given packet loss. */
const participantsOf = (losses: Record<string, Loss>) =>
  Object.entries(losses).map(([sid, loss]) => ({
    sid,
    state: ParticipantInfo_State.ACTIVE,
    permission: { hidden: loss.hidden ?? false } as never,
    isMediaSilent: () => loss.silent ?? false,
    publisher: { lost_share: loss.up },
    subscriber: { lostShare: () => loss.down },
  }));

describe('connection quality', () => {
  const gradesOf = (losses: Record<string, Loss>, qualities = new ConnectionQualities(), at_ms = 10_000) =>
    qualities
      .update(participantsOf(losses), at_ms)
      ?.updates.map(({ participantSid, quality }) => [participantSid, quality]);

  it('grades each connection by its own loss in either direction', () => {
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

  it('reports only changes, at most every two seconds, and all grades for new participants', () => {
    const qualities = new ConnectionQualities();
    const no_loss = { a: { up: 0, down: 0 } };
    expect(gradesOf(no_loss, qualities, 10_000)).toEqual([['a', ConnectionQuality.EXCELLENT]]);
    expect(gradesOf(no_loss, qualities, 12_000)).toBeUndefined();
    const high_loss = { a: { up: 0.5, down: 0 } };
    expect(gradesOf(high_loss, qualities, 12_500)).toBeUndefined();
    expect(gradesOf(high_loss, qualities, 14_000)).toEqual([['a', ConnectionQuality.POOR]]);
    expect(gradesOf({ ...high_loss, b: { up: 0, down: 0 } }, qualities, 16_000)).toHaveLength(2);
    // The grade recovers after a few good measurements, not after the first.
    expect(gradesOf({ ...no_loss, b: { up: 0, down: 0 } }, qualities, 18_000)).toBeUndefined();
    expect(gradesOf({ ...no_loss, b: { up: 0, down: 0 } }, qualities, 20_000)?.[0]).toEqual([
      'a',
      ConnectionQuality.GOOD,
    ]);
  });
});
