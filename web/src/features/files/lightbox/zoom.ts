/** How a picture is zoomed: its scale, and how far its centre is from that of the room, in pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A position in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The picture as it fits. */
export const FITTED: View = { scale: 1, x: 0, y: 0 };
/** The scale that a double click chooses, unless all pixels of the picture need more. */
const ENLARGED = 2.5;
const MOST = 8;
/** The longer side to which a small picture is enlarged. */
const SMALL_PX = 480;

/** The size at which a picture fits into a room; a small one is enlarged as on the page, and not to fill the window. */
export function fit({ width, height }: Size, room: Size): Size {
  const max = Math.max(1, SMALL_PX / Math.max(width, height));
  const scale = Math.min(max, room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}

/** Keeps a zoomed picture over the room: an edge of it stops at the edge of the room. */
export function clampView({ scale, x, y }: View, fitted: Size, room: Size): View {
  const within = (value: number, length: number, space: number) => {
    const max = Math.max(0, (length * scale - space) / 2);
    return Math.min(max, Math.max(-max, value));
  };
  return { scale, x: within(x, fitted.width, room.width), y: within(y, fitted.height, room.height) };
}

/** Zooms so that what is at a point stays there. @param at relative to the centre of the room */
export function zoomAt(view: View, scale: number, at: Point): View {
  const next = Math.min(MOST, Math.max(1, scale));
  const ratio = next / view.scale;
  return { scale: next, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** Enlarges a picture at a point, up to all of its pixels, or shows all of it again. */
export function toggleZoom(view: View, at: Point, picture: Size, fitted: Size): View {
  if (view.scale > 1) return FITTED;
  return zoomAt(view, Math.max(ENLARGED, Math.min(MOST / 2, picture.width / fitted.width)), at);
}
