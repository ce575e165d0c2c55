/** Unsent messages are placed as they will be once they are sent. */
import { expect, it } from 'vitest';
import { continuesRun, placeUnsent } from './unsent-runs.ts';

type Unsent = Parameters<typeof placeUnsent>[0][number];

const at = (minute: number) => new Date(2031, 4, 14, 12, minute).toISOString();
const newest = (mine: boolean, minute: number) => ({ mine, created_at: at(minute) });
const unsent = (state: Unsent['state'], minute: number): Unsent => ({ state, written_at: at(minute) });

/** Unsent messages as text: `(` before the first of a group, `)` after its last, `…` where it tells that they wait. */
function draw(before: ReturnType<typeof newest> | undefined, queued: readonly Unsent[]): string {
  const is_run = continuesRun(before, queued[0]);
  const places = queued.map((_, index) => placeUnsent(queued, index, is_run));
  return places
    .map(({ is_first, is_last, tells_waiting }, index) =>
      [is_first ? '(' : '', index + 1, is_last ? ')' : '', tells_waiting ? '…' : ''].join(''),
    )
    .join(' ');
}

it('continues the group of the newest message of the reader', () => {
  const queued = [unsent('sending', 2), unsent('sending', 2)];
  expect(draw(newest(true, 1), queued)).toBe('1 2)');
  expect(draw(newest(false, 1), queued)).toBe('(1 2)');
  expect(draw({ ...newest(true, 1), call: {} } as ReturnType<typeof newest>, queued)).toBe('(1 2)');
  expect(draw(newest(true, 1), [unsent('sending', 30)])).toBe('(1)');
  expect(draw(undefined, queued)).toBe('(1 2)');
});

it('tells once that messages wait, and shows refused ones on their own', () => {
  const waiting = [unsent('waiting', 2), unsent('waiting', 2), unsent('waiting', 3)];
  expect(draw(newest(false, 1), waiting)).toBe('(1 2 3)…');
  expect(draw(newest(true, 1), [unsent('refused', 2), unsent('sending', 2)])).toBe('(1) (2)');
});
