import type { Choices } from '../../../media/saved-choices.ts';
import {
  arrangeGallery,
  arrangePair,
  arrangeStrip,
  galleryCapacity,
  splitStage,
  stripCapacity,
} from './arrange-tiles.ts';
import type { Corner, Rect, Size } from './arrange-tiles.ts';

/** The tiles of a call, of any kind, and those that a layout prefers. */
export interface TilesToPlace<T> {
  readonly tiles: readonly T[];
  readonly isOwn: (tile: T) => boolean;
  readonly pinned: T | undefined;
  /** The screen of another participant that is shown large unless another tile is pinned. */
  readonly screen: T | undefined;
  readonly speaker: T | undefined;
  /** The tile that gets the most space where one does. */
  readonly focus: T | undefined;
}

interface Placed<T> {
  readonly tile: T;
  readonly rect: Rect;
}

/** The tiles in their places, of which those of one area can have several pages. */
export interface PlacedTiles<T> {
  readonly placed: readonly Placed<T>[];
  readonly page: number;
  readonly page_count: number;
  /** Where the pages are. */
  readonly area: Rect;
  /** The height of the middle of a row of tiles, at which buttons cover no name. */
  readonly row_y: number;
  /** Whether pinning the first tile would change anything. */
  readonly is_pair: boolean;
}

/**
 * The tiles of a page. The last page is full as well, so that its tiles have the size of the others. On the first page is
 * always the current speaker.
 */
function takePage<T>(tiles: readonly T[], room: number, wanted_page: number, speaker: T | undefined) {
  const page_count = Math.max(1, Math.ceil(tiles.length / room));
  const page = Math.min(wanted_page, page_count - 1);
  const start = Math.max(0, Math.min(page * room, tiles.length - room));
  const shown = tiles.slice(start, start + room);
  if (page === 0 && speaker !== undefined && tiles.includes(speaker) && !shown.includes(speaker))
    shown.splice(-1, 1, speaker);
  return { shown, page, page_count };
}

const place = <T>(tiles: readonly T[], rects: readonly Rect[]): Placed<T>[] =>
  tiles.flatMap((tile, at) => (rects[at] === undefined ? [] : [{ tile, rect: rects[at] }]));

/** The middle of the row of tiles that is nearest to the middle of the area. */
function middleRow({ y, height }: Rect, rects: readonly Rect[]): number {
  const middles = rects.map((rect) => rect.y + rect.height / 2);
  const distance = (middle: number) => Math.abs(middle - (y + height / 2));
  return middles.toSorted((one, other) => distance(one) - distance(other))[0] ?? y + height / 2;
}

/** One large tile, and the others beside or below it. */
function placeAround<T>(stage: Size, focus: T, all: TilesToPlace<T>, page: number): PlacedTiles<T> {
  const { tiles, pinned, screen, speaker } = all;
  const others = tiles.filter((tile) => tile !== focus);
  // A shared screen is what the reader looks for beside a pinned tile.
  const ordered =
    pinned !== undefined && screen !== undefined && screen !== pinned
      ? [screen, ...others.filter((tile) => tile !== screen)]
      : others;
  const { large, strip } =
    others.length === 0
      ? { large: { x: 0, y: 0, ...stage }, strip: { x: 0, y: 0, ...stage } }
      : splitStage(stage, others.length, focus === screen);
  const { shown, ...pages } = takePage(ordered, stripCapacity(strip), page, speaker);
  const small = arrangeStrip(shown.length, strip);
  const placed = [{ tile: focus, rect: large }, ...place(shown, small)];
  return { ...pages, placed, area: strip, row_y: middleRow(strip, small), is_pair: false };
}

/**
 * Computes which tiles are shown and where, in this order: those that follow are above.
 * @param corner where the small tile of a call of two is
 */
export function placeTiles<T>(
  stage: Size,
  layout: Choices['layout'],
  all: TilesToPlace<T>,
  page: number,
  corner?: Corner,
): PlacedTiles<T> {
  const { tiles, isOwn, pinned, screen, speaker, focus } = all;
  const area = { x: 0, y: 0, ...stage };
  const [own, others] = [tiles.filter(isOwn), tiles.filter((tile) => !isOwn(tile))];
  if (screen === undefined && own.length === 1 && others.length === 1) {
    const pair = pinned !== undefined && isOwn(pinned) ? [...own, ...others] : [...others, ...own];
    return { placed: place(pair, arrangePair(stage, corner)), page: 0, page_count: 1, area, row_y: 0, is_pair: true };
  }
  const is_focused = pinned !== undefined || screen !== undefined || layout === 'speaker';
  if (is_focused && focus !== undefined) return placeAround(stage, focus, all, page);
  const { shown, ...pages } = takePage(tiles, galleryCapacity(stage), page, speaker);
  const rects = arrangeGallery(shown.length, stage);
  return { ...pages, placed: place(shown, rects), area, row_y: middleRow(area, rects), is_pair: false };
}
