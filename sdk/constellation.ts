/**
 * The picture of a tag: a constellation derived from its name alone, so that every client and page draws the same one.
 */

/** A star of a drawing; the lines between stars end a little before them. */
export interface Star {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The drawing of one tag, in the coordinates of `SKY`. Lines are pairs of indices of stars. */
export interface Constellation {
  readonly stars: readonly Star[];
  /** The index of the gold star. */
  readonly gold: number;
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** The hues, in degrees, of the lighter and the darker colour of the sky. */
  readonly hues: readonly [number, number];
}

/** The size of the drawing; an SVG with this view box may be scaled to any size. */
export const SKY = { width: 200, height: 110 } as const;

/** One arm of the gold asterisk as an SVG path in a 24 by 24 field; the asterisk has three, rotated by 60 degrees. */
export const ASTER_ARM =
  'M12 1.200c1.500 0 2.200 1 2 2.600L12.900 12 14 20.200c.2 1.600-.5 2.600-2 2.600s-2.200-1-2-2.600L11.100 12 10 3.800c-.2-1.600.5-2.600 2-2.600z';

/** The rotations of the three arms, in degrees. */
export const ASTER_TURNS = [0, 60, 120] as const;

/** A generator of numbers from 0 to 1, seeded with a text (FNV-1a, then xorshift). */
function numbersOf(text: string): () => number {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** The sky of a name: two hues and a constellation with one gold star, the same on every device. */
export function drawConstellation(name: string): Constellation {
  const next = numbersOf(`sky of ${name.toLowerCase()}`);
  const hue = Math.floor(next() * 360);
  const count = 5 + Math.floor(next() * 3);
  const step = (SKY.width - 40) / (count - 1);
  let is_high = next() < 0.5;
  const path = Array.from({ length: count }, (_, index): Star => {
    is_high = !is_high;
    const y = (is_high ? 14 : 56) + next() * 34;
    return { x: 20 + index * step + (next() - 0.5) * step * 0.4, y, size: 1.2 + next() * 1.2 };
  });
  const joint = 1 + Math.floor(next() * (count - 2));
  const origin = path[joint] ?? { x: 0, y: 0 };
  const branch = { x: origin.x + 12 + next() * 14, y: origin.y > 55 ? 12 + next() * 10 : 88 + next() * 12, size: 1.8 };
  const lines = Array.from({ length: count - 1 }, (_, index) => [index, index + 1] as const);
  return {
    stars: [...path, branch],
    gold: Math.floor(next() * count),
    lines: [...lines, [joint, count]],
    hues: [hue, (hue + 20 + Math.floor(next() * 40)) % 360],
  };
}

/** The two colours of a name's sky in CSS, dark enough for white text. */
export function skyColours(name: string): [lighter: string, darker: string] {
  const [one, other] = drawConstellation(name).hues;
  return [`hsl(${one}, 44%, 29%)`, `hsl(${other}, 46%, 12%)`];
}

/** The endpoints of a line between two stars, with a gap at both ends. */
export function shorten(from: Star, to: Star): { x1: number; y1: number; x2: number; y2: number } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [((to.x - from.x) / length) * 6, ((to.y - from.y) / length) * 6];
  return { x1: from.x + dx, y1: from.y + dy, x2: to.x - dx, y2: to.y - dy };
}
