import { describe, expect, it } from 'vitest';
import { createIds, firstIdAt, timeOfId } from './id.ts';

describe('identifiers', () => {
  let now_ms = Date.parse('2026-03-01T10:00:00.500Z');
  const id = createIds({ now: () => new Date(now_ms) } as Parameters<typeof createIds>[0]);

  it('are ordered by creation, even when the clock stands still or steps back', () => {
    const created: string[] = [];
    for (const step_ms of [0, 0, 5, -60_000, -1, 0, 59_000, 90_000_000, -90_000_000, 1]) {
      now_ms += step_ms;
      created.push(id('post'), id('post'));
    }
    expect(created).toEqual(created.toSorted());
    expect(new Set(created).size).toBe(created.length);
  });

  it('have a lower bound for each time', () => {
    now_ms = Date.parse('2030-01-01T00:00:00Z');
    const created = createIds({ now: () => new Date(now_ms) } as Parameters<typeof createIds>[0])('conf');
    expect(firstIdAt('conf', new Date(now_ms)) <= created && created < firstIdAt('conf', new Date(now_ms + 1))).toBe(
      true,
    );
    expect(timeOfId(firstIdAt('conf', new Date(now_ms)))).toEqual(new Date(now_ms));
  });
});
