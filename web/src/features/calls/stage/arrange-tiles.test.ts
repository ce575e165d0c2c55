/**
 * The layout of tiles on the stage of a call: whatever the window and the number of tiles, all are inside and none
 * overlaps another.
 */
import { expect, it } from 'vitest';
import {
  arrangeGallery,
  arrangePair,
  arrangeStrip,
  galleryCapacity,
  splitStage,
  stripCapacity,
  type Rect,
} from './arrange-tiles.ts';

/** The stage in a window of a phone and of a desktop, with and without the chat, and a picture-in-picture slot. */
const stages = [
  { width: 374, height: 700 },
  { width: 905, height: 640 },
  { width: 1256, height: 640 },
  { width: 780, height: 220 },
  // A phone held sideways.
  { width: 828, height: 374 },
];
const tolerance = 0.01;

const isInside = (stage: { width: number; height: number }, { x, y, width, height }: Rect) =>
  x >= -tolerance && y >= -tolerance && x + width <= stage.width + tolerance && y + height <= stage.height + tolerance;

const areDisjoint = (a: Rect, b: Rect) =>
  a.x + a.width <= b.x + tolerance ||
  b.x + b.width <= a.x + tolerance ||
  a.y + a.height <= b.y + tolerance ||
  b.y + b.height <= a.y + tolerance;

function expectToFit(rects: Rect[], stage: { width: number; height: number }): void {
  expect(rects.filter((rect) => !isInside(stage, rect))).toEqual([]);
  for (const [at, rect] of rects.entries())
    expect(rects.slice(at + 1).filter((other) => !areDisjoint(rect, other))).toEqual([]);
}

it('arrangeGallery places equal tiles inside the stage, without overlap, each large enough for a face', () => {
  for (const stage of stages)
    for (let count = 0; count <= 16; count += 1) {
      const rects = arrangeGallery(count, stage);
      expect(rects).toHaveLength(count);
      expectToFit(rects, stage);
      expect(new Set(rects.map(({ width, height }) => `${width} ${height}`)).size).toBe(Math.min(count, 1));
      for (const { width, height } of rects) expect(Math.min(width, height)).toBeGreaterThan(60);
    }
});

it('arrangeGallery chooses the number of columns that leaves the most room', () => {
  const columns = (count: number, stage: { width: number; height: number }) =>
    new Set(arrangeGallery(count, stage).map(({ x }) => Math.round(x))).size;
  expect(columns(4, stages[1]!)).toBe(2);
  expect(columns(16, stages[1]!)).toBe(4);
  expect(columns(2, stages[0]!)).toBe(1);
  expect(columns(3, stages[3]!)).toBe(3);
});

it('splitStage enlarges one tile, and leaves the others as much room as a page of them needs', () => {
  for (const stage of stages)
    for (const is_screen of [false, true])
      for (let beside = 1; beside <= 16; beside += 1) {
        const { large, strip } = splitStage(stage, beside, is_screen);
        const small = arrangeStrip(Math.min(beside, stripCapacity(strip)), strip);
        expectToFit([large, ...small], stage);
        for (const tile of small) {
          expect(tile.width).toBeGreaterThan(80);
          expect(tile.height).toBeGreaterThan(60);
          expect(large.width * large.height).toBeGreaterThan(3 * Math.min(tile.width * tile.height, 20_000));
        }
      }
});

it('splitStage crops no face: a large tile is at most a little wider than a camera’s video', () => {
  for (const stage of stages.filter(({ height }) => height > 300)) {
    const { large } = splitStage(stage, 5, false);
    expect(large.width / large.height).toBeLessThan(16 / 9 + 0.15);
  }
});

it('a call of six needs one page, in each window that is not tiny', () => {
  for (const stage of stages.filter(({ height }) => height > 300)) {
    expect(galleryCapacity(stage)).toBeGreaterThanOrEqual(6);
    for (const is_screen of [false, true])
      expect(stripCapacity(splitStage(stage, 5, is_screen).strip)).toBeGreaterThanOrEqual(5);
  }
});

it('arrangePair gives the stage to the other participant of a call of two, and shows oneself in the corner', () => {
  for (const stage of stages) {
    const [other, own] = arrangePair(stage);
    expect(other).toMatchObject({ x: 0, y: 0, ...stage });
    // The name and the icons of the other participant are beside it.
    expect(stage.width - (other.covered_px ?? 0)).toBeLessThanOrEqual(own.x);
    expect(isInside(stage, own)).toBe(true);
    expect(own.width * own.height).toBeLessThan((stage.width * stage.height) / 8);
    // Upright as a camera is there.
    expect(own.height > own.width).toBe(stage.height > stage.width);
  }
});

it('arrangePair has oneself in the chosen corner, beside the name of the other participant and below their pin', () => {
  for (const stage of stages)
    for (const corner of ['top start', 'top end', 'bottom start', 'bottom end'] as const) {
      const [{ covered_px = 0, covered_start_px = 0 }, own] = arrangePair(stage, corner);
      expect(isInside(stage, own)).toBe(true);
      const [row, column] = corner.split(' ');
      expect(own.y + own.height / 2 < stage.height / 2).toBe(row === 'top');
      expect(own.x + own.width / 2 < stage.width / 2).toBe(column === 'start');
      const free = { from: covered_start_px, to: stage.width - covered_px };
      if (row === 'bottom') expect(own.x >= free.to || own.x + own.width <= free.from).toBe(true);
      else expect(free).toEqual({ from: 0, to: stage.width });
      if (corner === 'top end') expect(own.y).toBeGreaterThanOrEqual(52);
    }
});
