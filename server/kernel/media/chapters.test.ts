import { expect, it } from 'vitest';
import { findChapters } from './chapters.ts';

const track = (name: string, ...spans: [number, number][]) => ({
  identity: `usr_${name}`,
  name,
  spoke: spans.map(([from_s, to_s]) => ({ from_ms: from_s * 1000, to_ms: to_s * 1000 })),
});

it('starts a chapter when another person speaks, but not at a pause or an interjection', () => {
  const chapters = findChapters([
    track('Ann', [1, 10], [12, 20], [40, 50]),
    track('Ben', [15, 16], [21, 30], [30.5, 38]),
  ]);
  expect(chapters).toEqual([
    { title: 'Ann', identity: 'usr_Ann', from_ms: 0 },
    { title: 'Ben', identity: 'usr_Ben', from_ms: 21_000 },
    { title: 'Ann', identity: 'usr_Ann', from_ms: 40_000 },
  ]);
});

it('joins the tracks of one person, and uses the identity when the name is empty', () => {
  expect(findChapters([track('Ann', [0, 5]), track('Ann', [6, 9]), track('', [20, 30])])).toEqual([
    { title: 'Ann', identity: 'usr_Ann', from_ms: 0 },
    { title: 'usr_', identity: 'usr_', from_ms: 20_000 },
  ]);
  expect(findChapters([])).toEqual([]);
});

it('distinguishes two people with the same name', () => {
  const [ann, other] = [track('Ann', [0, 10]), { ...track('Ann', [12, 30]), identity: 'usr_other' }];
  expect(findChapters([ann, other]).map(({ identity }) => identity)).toEqual(['usr_Ann', 'usr_other']);
});

it('is limited to the maximum of the format, and drops the shortest chapters', () => {
  const of = (name: string, at: number, length: number) =>
    track(name, ...Array.from({ length: 600 }, (_, n): [number, number] => [n * 20 + at, n * 20 + at + length]));
  const chapters = findChapters([of('Ann', 0, 9), of('Ben', 10, 4)]);
  // 201 short chapters are dropped, and the long ones on both sides of each are merged.
  expect(chapters.filter(({ title }) => title === 'Ben')).toHaveLength(399);
  expect(chapters.filter(({ title }) => title === 'Ann')).toHaveLength(400);
});
