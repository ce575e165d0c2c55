/** Which tiles of a call are shown, which is large, and on which page the others are. */
import { describe, expect, it } from 'vitest';
import { placeTiles } from './place-tiles.ts';

const desk = { width: 905, height: 612 };
const phone = { width: 374, height: 690 };

/** The tiles of a call of this many, the first of which is the reader's. */
const callOf = (count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? 'me' : `p${at}`));

type Preferred = { pinned?: string; screen?: string; speaker?: string };

function placed(tiles: string[], preferred: Preferred, layout: 'gallery' | 'speaker', stage = desk, page = 0) {
  const { pinned, screen, speaker } = preferred;
  const all = {
    tiles,
    isOwn: (tile: string) => tile === 'me',
    pinned,
    screen,
    speaker,
    focus: pinned ?? screen ?? speaker ?? tiles[1],
  };
  const found = placeTiles(stage, layout, all, page);
  return { ...found, names: found.placed.map(({ tile }) => tile) };
}

const largest = ({ placed: tiles }: ReturnType<typeof placed>) =>
  tiles.toSorted((one, other) => other.rect.width * other.rect.height - one.rect.width * one.rect.height)[0]?.tile;

describe('the tiles of a call', () => {
  it('are equal in the gallery, unless one is pinned or a screen is shared', () => {
    const six = callOf(6);
    const gallery = placed(six, { speaker: 'p2' }, 'gallery');
    expect(gallery.names).toEqual(six);
    expect(new Set(gallery.placed.map(({ rect }) => rect.width)).size).toBe(1);
    expect(largest(placed(six, { pinned: 'p3', speaker: 'p2' }, 'gallery'))).toBe('p3');
    expect(largest(placed(six, { pinned: 'me' }, 'gallery'))).toBe('me');
    expect(largest(placed([...six, 'screen'], { screen: 'screen' }, 'gallery'))).toBe('screen');
  });

  it('have a screen first beside a pinned tile', () => {
    const tiles = [...callOf(6), 'screen'];
    const beside_pinned = placed(tiles, { pinned: 'p3', screen: 'screen' }, 'gallery');
    expect(beside_pinned.names.slice(0, 2)).toEqual(['p3', 'screen']);
    expect(beside_pinned.names).toHaveLength(7);
  });

  it('of two exchange their places when the reader pins their own', () => {
    expect(placed(callOf(2), {}, 'gallery').names).toEqual(['p1', 'me']);
    expect(placed(callOf(2), { pinned: 'p1' }, 'gallery').names).toEqual(['p1', 'me']);
    expect(placed(callOf(2), { pinned: 'me' }, 'gallery').names).toEqual(['me', 'p1']);
  });

  it('that do not fit are on further pages, which together show everybody', () => {
    for (const [count, layout, stage] of [
      [40, 'gallery', desk],
      [25, 'gallery', phone],
      [12, 'speaker', phone],
      [17, 'speaker', desk],
    ] as const) {
      const tiles = callOf(count);
      const { page_count } = placed(tiles, {}, layout, stage);
      expect(page_count).toBeGreaterThan(1);
      const pages = Array.from({ length: page_count }, (_, page) => placed(tiles, {}, layout, stage, page));
      expect(new Set(pages.flatMap(({ names }) => names))).toEqual(new Set(tiles));
      expect(new Set(pages.map(({ names }) => names.length)).size).toBe(1);
      // A page that no longer exists, since people have left, is the last one.
      expect(placed(tiles, {}, layout, stage, page_count + 3).names).toEqual(pages.at(-1)?.names);
    }
  });

  it('have the buttons of their pages in the middle of a row, where no name is', () => {
    for (const stage of [desk, phone, { width: 374, height: 450 }, { width: 828, height: 260 }])
      for (const layout of ['gallery', 'speaker'] as const) {
        const { placed: all, row_y, area } = placed(callOf(40), {}, layout, stage);
        const rows = all.slice(layout === 'speaker' ? 1 : 0).map(({ rect }) => rect.y + rect.height / 2);
        expect(rows).toContain(row_y);
        expect(row_y).toBeGreaterThan(area.y);
      }
  });

  it('include the current speaker on the first page', () => {
    expect(placed(callOf(40), { speaker: 'p39' }, 'gallery').names).toContain('p39');
    const tiles = [...callOf(20), 'screen'];
    expect(placed(tiles, { screen: 'screen', speaker: 'p19' }, 'gallery').names).toContain('p19');
  });
});
