import { expect, it } from 'vitest';
import { clampView, fit, FITTED, toggleZoom, zoomAt } from './zoom.ts';

const room = { width: 400, height: 800 };

it('fits a large picture into the room, and enlarges a small one moderately', () => {
  expect(fit({ width: 1600, height: 800 }, room)).toEqual({ width: 400, height: 200 });
  expect(fit({ width: 800, height: 3200 }, room)).toEqual({ width: 200, height: 800 });
  expect(fit({ width: 64, height: 32 }, { width: 1200, height: 800 })).toEqual({ width: 480, height: 240 });
  expect(fit({ width: 64, height: 32 }, room)).toEqual({ width: 400, height: 200 });
  expect(fit({ width: 600, height: 300 }, { width: 1200, height: 800 })).toEqual({ width: 600, height: 300 });
});

it('zooms so that what is at a point stays there', () => {
  const at = { x: 100, y: -50 };
  const before = zoomAt(FITTED, 2, at);
  const after = zoomAt(before, 3, at);
  // The point of the picture below the pointer, in pixels of the fitted picture.
  const below = ({ scale, x, y }: typeof before) => [(at.x - x) / scale, (at.y - y) / scale];
  expect(below(before)).toEqual([100, -50]);
  expect(below(after)).toEqual([100, -50]);
  expect(zoomAt(before, 0.2, at).scale).toBe(1);
  expect(zoomAt(before, 100, at).scale).toBe(8);
});

it('keeps the edges of a zoomed picture outside of the room, and a narrow one in its middle', () => {
  const fitted = { width: 400, height: 200 };
  expect(clampView({ scale: 3, x: 900, y: 900 }, fitted, room)).toEqual({ scale: 3, x: 400, y: 0 });
  expect(clampView({ scale: 8, x: -2000, y: -2000 }, fitted, room)).toEqual({ scale: 8, x: -1400, y: -400 });
  expect(clampView({ scale: 3, x: 20, y: 0 }, fitted, room)).toEqual({ scale: 3, x: 20, y: 0 });
});

it('enlarges a picture up to its pixels, and shows all of it again', () => {
  const fitted = { width: 400, height: 200 };
  expect(toggleZoom(FITTED, { x: 0, y: 0 }, { width: 400, height: 200 }, fitted).scale).toBe(2.5);
  expect(toggleZoom(FITTED, { x: 0, y: 0 }, { width: 1400, height: 700 }, fitted).scale).toBe(3.5);
  expect(toggleZoom({ scale: 2, x: 4, y: 4 }, { x: 0, y: 0 }, fitted, fitted)).toBe(FITTED);
});
