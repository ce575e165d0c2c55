/** The position of a tile on the stage, in CSS pixels from its upper left corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How much of its right side another tile covers. */
  readonly covered_px?: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const GAP_PX = 8;
/** The limits of a tile's aspect ratio, to which videos are cropped. */
const WIDEST_RATIO = 16 / 9;
const TALLEST_RATIO = 0.72;
const STRIP_TILE_PX = { width: 128, height: 96 } as const;

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

/** Layout for two: the other person fills the stage, the own tile is small in a corner. */
export function arrangePair(stage: Size): [Rect, Rect] {
  const width = Math.min(240, Math.max(96, stage.width * 0.26));
  const height = Math.min(width * 0.75, stage.height * 0.4);
  const own = { x: stage.width - width - GAP_PX, y: stage.height - height - GAP_PX, width, height };
  return [{ x: 0, y: 0, ...stage, covered_px: width + GAP_PX }, own];
}

/** How many tiles fit into the strip. */
export function stripRoom({ width }: Size): number {
  return Math.max(1, Math.floor((width + GAP_PX) / (STRIP_TILE_PX.width * 0.75 + GAP_PX)));
}

/** Speaker layout: one large tile, the others in a strip below. The first rectangle is the large one. */
export function arrangeSpeaker(count: number, stage: Size): Rect[] {
  if (count <= 1) return arrangeGallery(count, stage).map(() => ({ x: 0, y: 0, ...stage }));
  const beside = count - 1;
  const height = Math.min(STRIP_TILE_PX.height, stage.height * 0.28);
  const width = Math.min(STRIP_TILE_PX.width, (stage.width - GAP_PX * (beside - 1)) / beside);
  const left = (stage.width - beside * width - GAP_PX * (beside - 1)) / 2;
  const strip = Array.from({ length: beside }, (_, at) => ({
    x: left + at * (width + GAP_PX),
    y: stage.height - height,
    width,
    height,
  }));
  return [{ x: 0, y: 0, width: stage.width, height: stage.height - height - GAP_PX }, ...strip];
}
