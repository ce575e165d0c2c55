/** The generated pattern of a tag as SVG, and the picture for previews of its link. */
import { fileURLToPath } from 'node:url';
import type { Font } from 'fontkit';
import sharp from 'sharp';
import { ASTER_ARM, ASTER_TURNS, drawConstellation, shorten, SKY, skyColours } from '../../../sdk/constellation.ts';

/** The size for link previews, in pixels (the Open Graph protocol's usual 1.91 : 1). */
export const CARD = { width: 1200, height: 630 } as const;
const MARGIN = 88;
const MAX_NAME_PX = 176;

const STAR = '#f2c14e';
const INK = '#fff6e0';

/** The asterisk in a field of 24 by 24. */
const arms = ASTER_TURNS.map((turn) => `<path transform="rotate(${turn} 12 12)" d="${ASTER_ARM}"/>`).join('');

/** The asterisk as a separate image. */
export const asterSvg = `<svg class="aster" viewBox="0 0 24 24" fill="${STAR}" aria-hidden="true">${arms}</svg>`;

/** A coordinate in SVG: two decimals. */
export const round = (value: number) => value.toFixed(2);

/** The lines and stars of a name, in the field of `SKY`. */
export function netOf(name: string): string {
  const { stars, lines, gold } = drawConstellation(name);
  const edges = lines.flatMap(([from, to]) => {
    const [one, other] = [stars[from], stars[to]];
    if (!one || !other) return [];
    const { x1, y1, x2, y2 } = shorten(one, other);
    return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${INK}" stroke-opacity=".45"/>`;
  });
  const points = stars.map(({ x, y, size }, index) =>
    index === gold
      ? `<g fill="${STAR}" transform="translate(${round(x - 6)} ${round(y - 6)}) scale(.5)">${arms}</g>`
      : `<circle cx="${round(x)}" cy="${round(y)}" r="${round(size)}" fill="${INK}"/>`,
  );
  return edges.join('') + points.join('');
}

/** The background of a name, or of any other text, as a definition for SVG. */
export const gradient = (name: string, id: string) => {
  const [lighter, darker] = skyColours(name);
  return `<radialGradient id="${id}" cx=".78" cy="0" r="1.2"><stop stop-color="${lighter}"/><stop offset=".62" stop-color="${darker}"/><stop offset="1" stop-color="#0a0c1c"/></radialGradient>`;
};

/** The background pattern of a name, for a card of any size. */
export function skySvg(name: string): string {
  return `<svg class="sky" preserveAspectRatio="none" viewBox="0 0 1 1" aria-hidden="true"><defs>${gradient(name, 'sky')}</defs><rect width="1" height="1" fill="url(#sky)"/></svg>`;
}

/** The constellation of a name. */
export function netSvg(name: string): string {
  return `<svg class="net" viewBox="0 0 ${SKY.width} ${SKY.height}" aria-hidden="true">${netOf(name)}</svg>`;
}

/** The client's font for titles. */
export const openFont = once(async (): Promise<Font> => {
  const { open } = await import('fontkit');
  const file = import.meta.resolve('@fontsource/newsreader/files/newsreader-latin-500-normal.woff');
  return (await open(fileURLToPath(file))) as Font;
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A line of Latin text as one outline, so that rendering needs no installed font. */
export function outline(font: Font, text: string): { path: string; width: number } {
  const { glyphs, positions } = font.layout(text);
  let width = 0;
  const parts = glyphs.map((glyph, index) => {
    const at = width;
    width += positions[index]?.xAdvance ?? 0;
    return `<path transform="translate(${at} 0)" d="${glyph.path.toSVG()}"/>`;
  });
  return { path: parts.join(''), width };
}

const letters = (font: Font, path: string, x: number, y: number, px: number) =>
  `<g transform="translate(${round(x)} ${y}) scale(${px / font.unitsPerEm} ${-px / font.unitsPerEm})" fill="#fff">${path}</g>`;

const asterAt = (x: number, y: number, px: number) =>
  `<g fill="${STAR}" transform="translate(${round(x)} ${round(y)}) scale(${px / 24})">${arms}</g>`;

/** The name of the service with its star, at the foot of a picture. */
export const writeBrand = (font: Font, x: number, base: number): string =>
  asterAt(x, base - 34, 40) + letters(font, outline(font, 'Asterism').path, x + 52, base, 44);

/**
 * The picture of a tag for link previews: its pattern, and its name in the client's font.
 * @param name the name of a tag, which is Latin
 * @returns a PNG of 1200 by 630 pixels
 */
export async function drawCard(name: string): Promise<Buffer> {
  const font = await openFont();
  const unit = font.unitsPerEm;
  const line = outline(font, name);
  const star = 0.72;
  const size = Math.min(MAX_NAME_PX, (CARD.width - 2 * MARGIN) / (line.width / unit + star + 0.06));
  const base = 440;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><defs>${gradient(name, 'sky')}</defs>` +
    `<rect width="100%" height="100%" fill="url(#sky)"/>` +
    `<g transform="translate(500 40) scale(3.2)" opacity=".75">${netOf(name)}</g>` +
    asterAt(MARGIN, base - size * 0.78, size * star) +
    letters(font, line.path, MARGIN + size * (star + 0.06), base, size) +
    writeBrand(font, MARGIN, 548) +
    '</svg>';
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 128 }).toBuffer();
}
