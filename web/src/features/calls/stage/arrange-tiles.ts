/** The position of a tile on the stage, in CSS pixels from the upper corner where lines begin: the right one in Arabic. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How much of its foot another tile covers, where lines end and where they start. */
  readonly covered_px?: number;
  readonly covered_start_px?: number;
}

/** A size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const GAP_PX = 8;
/** The room of the button that pins a large tile, in its corner. */
const PIN_PX = 56;
/** The limits of a tile's aspect ratio, to which videos are cropped. */
const WIDEST_RATIO = 16 / 9;
const TALLEST_RATIO = 0.72;
/** The height of a row of small tiles, and the limits of the width of a column of them. */
const STRIP_PX = { row: 104, narrowest: 120, widest: 176 } as const;
/** Below these sizes names and faces are no longer readable; what does not fit is on another page. */
const SMALLEST_GALLERY_TILE_PX = { width: 150, height: 112 } as const;
const SMALLEST_STRIP_TILE_PX = { width: 112, height: 88 } as const;
const MAX_TILES = 16;

/** The largest rectangle within these limits in a cell. */
function shapeIn({ width, height }: Size): Size {
  return {
    width: Math.min(width, height * WIDEST_RATIO),
    height: Math.min(height, width / TALLEST_RATIO),
  };
}

/**
 * Gallery layout: the number of columns that makes tiles largest, with a centred last row. Everything fits, so that the
 * stage never scrolls.
 */
export function arrangeGallery(count: number, stage: Size): Rect[] {
  if (count === 0) return [];
  let best = { columns: 1, rows: count, width: 0, height: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const tile = shapeIn({
      width: Math.max(0, stage.width - GAP_PX * (columns - 1)) / columns,
      height: Math.max(0, stage.height - GAP_PX * (rows - 1)) / rows,
    });
    if (tile.width * tile.height > best.width * best.height) best = { columns, rows, ...tile };
  }
  const { columns, rows, width, height } = best;
  const top = (stage.height - rows * height - GAP_PX * (rows - 1)) / 2;
  return Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / columns);
    const in_row = Math.min(columns, count - row * columns);
    const left = (stage.width - in_row * width - GAP_PX * (in_row - 1)) / 2;
    return {
      x: left + (at - row * columns) * (width + GAP_PX),
      y: top + row * (height + GAP_PX),
      width,
      height,
    };
  });
}

/** A corner of the stage: at the top or bottom, where lines start or end. */
export type Corner = 'top start' | 'top end' | 'bottom start' | 'bottom end';

/**
 * Layout for two: the other person fills the stage, the own tile is small in a corner, and upright as the camera of a
 * phone in an upright window.
 */
export function arrangePair(stage: Size, corner: Corner = 'bottom end'): [Rect, Rect] {
  const is_upright = stage.height > stage.width;
  const width = Math.min(240, is_upright ? Math.max(96, stage.width * 0.28) : Math.max(96, stage.width * 0.26));
  const height = is_upright ? width / 0.75 : Math.min(width * 0.75, stage.height * 0.4);
  const [row, column] = corner.split(' ');
  const own = {
    x: column === 'end' ? stage.width - width - GAP_PX : GAP_PX,
    // Below the button that pins the large tile.
    y: row === 'bottom' ? stage.height - height - GAP_PX : column === 'end' ? PIN_PX : GAP_PX,
    width,
    height,
  };
  const covered_px = width + GAP_PX;
  const other = { x: 0, y: 0, ...stage };
  if (row === 'top') return [other, own];
  return [{ ...other, ...(column === 'end' ? { covered_px } : { covered_start_px: covered_px }) }, own];
}

/** How many tiles with a readable name fit. */
function roomFor(smallest: Size, { width, height }: Size): number {
  const fitting = (available: number, needed: number) =>
    Math.max(1, Math.floor((available + GAP_PX) / (needed + GAP_PX)));
  return Math.min(MAX_TILES, fitting(width, smallest.width) * fitting(height, smallest.height));
}

/** How many tiles a page of the gallery has. */
export const galleryCapacity = (stage: Size): number => roomFor(SMALLEST_GALLERY_TILE_PX, stage);

/** How many tiles a page of the strip has. */
export const stripCapacity = (strip: Size): number => roomFor(SMALLEST_STRIP_TILE_PX, strip);

/** The width of a video of this shape that is shown as a whole. */
const shownWidth = ({ width, height }: Size): number => Math.min(width, height * WIDEST_RATIO);

/** The stage, divided into the main part and a strip. */
export interface SplitStage {
  readonly large: Rect;
  /** Where the small tiles are. */
  readonly strip: Rect;
}

/** A large tile above a strip of this height. */
function splitBelow({ width, height }: Size, strip_px: number): SplitStage {
  const strip = { x: 0, y: height - strip_px, width, height: strip_px };
  return { large: { x: 0, y: 0, width, height: height - strip_px - GAP_PX }, strip };
}

/** A large tile with the strip at its side: two columns where one has no room for all. */
function splitBeside({ width, height }: Size, beside_count: number): SplitStage {
  const column_px = Math.min(STRIP_PX.widest, Math.max(STRIP_PX.narrowest, width * 0.14));
  const strip_px = beside_count > stripCapacity({ width: column_px, height }) ? 2 * column_px + GAP_PX : column_px;
  const strip = { x: width - strip_px, y: 0, width: strip_px, height };
  return { large: { x: 0, y: 0, width: width - strip_px - GAP_PX, height }, strip };
}

/**
 * Divides the stage for one large tile and others: in an upright window the others are below, where a shared screen
 * leaves more room for them; elsewhere where they leave a video more room.
 */
export function splitStage(stage: Size, beside_count: number, is_screen: boolean): SplitStage {
  if (stage.height > stage.width) {
    if (is_screen) {
      const large_px = Math.min(stage.height * 0.6, Math.max(stage.height * 0.3, stage.width / WIDEST_RATIO));
      return splitBelow(stage, stage.height - large_px - GAP_PX);
    }
    const one_row = { width: stage.width, height: STRIP_PX.row };
    const rows = beside_count > stripCapacity(one_row) && stage.height > stage.width * 1.5 ? 2 : 1;
    return splitBelow(stage, rows * STRIP_PX.row + (rows - 1) * GAP_PX);
  }
  const [below, beside] = [
    splitBelow(stage, Math.min(STRIP_PX.row, stage.height * 0.28)),
    splitBeside(stage, beside_count),
  ];
  return shownWidth(beside.large) > shownWidth(below.large) ? beside : below;
}

/** The tiles of the strip: as a small gallery. */
export function arrangeStrip(count: number, strip: Rect): Rect[] {
  return arrangeGallery(count, strip).map((rect) => ({ ...rect, x: strip.x + rect.x, y: strip.y + rect.y }));
}
