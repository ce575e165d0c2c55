/** The picture for previews of the link of an event. */
import type { Font } from 'fontkit';
import sharp from 'sharp';
import { CARD, gradient, openFont, outline, round, writeBrand } from '../tag-picture.ts';

const MARGIN = 88;
const TITLE_PX = 92;
const MAX_LINES = 3;
/** The leaf of a calendar at the beginning of the picture. */
const LEAF = { x: MARGIN, y: 104, width: 236, height: 268 };
const TITLE_X = LEAF.x + LEAF.width + 56;

/** What the picture shows. It is the same in all languages, so that a cache of previews needs one. */
export interface EventPicture {
  readonly title: string;
  /** In the event's zone. */
  readonly day: number;
  readonly month: number;
  readonly year: number;
}

/** Where a text is written, from its start or around its middle, and how. */
type Lettering = { x: number; y: number; px: number; colour: string; is_centred?: boolean };

/** The text in lines of at most this width, of which the last one ends with an ellipsis if it does not fit. */
export function wrap(font: Font, text: string, max_width: number): string[] {
  const fits = (line: string) => outline(font, line).width <= max_width;
  const lines: string[] = [];
  let words = text.split(/\s+/).filter((word) => word !== '');
  while (words.length > 0 && lines.length < MAX_LINES) {
    let count = words.findIndex((_word, at) => at > 0 && !fits(words.slice(0, at + 1).join(' ')));
    if (count === -1) count = words.length;
    const is_last = lines.length === MAX_LINES - 1 && count < words.length;
    let line = words.slice(0, count).join(' ');
    while (line.length > 1 && !fits(is_last ? `${line}…` : line)) line = line.slice(0, -1).trimEnd();
    lines.push(is_last || line.length < words.slice(0, count).join(' ').length ? `${line.replace(/…$/, '')}…` : line);
    words = words.slice(count);
  }
  return lines;
}

/** Whether the font, which is Latin, has all letters of a text; messengers show the title beside the picture anyway. */
export const canWrite = (font: Font, text: string) =>
  [...text].every((letter) => /\s/.test(letter) || font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));

/** @returns a PNG of 1200 by 630 pixels */
export async function drawEventCard({ title, day, month, year }: EventPicture): Promise<Buffer> {
  const font = await openFont();
  const unit = font.unitsPerEm;
  const write = (text: string, { x, y, px, colour, is_centred = false }: Lettering) => {
    const { path, width } = outline(font, text);
    const from = is_centred ? x - (width * px) / unit / 2 : x;
    return `<g transform="translate(${round(from)} ${y}) scale(${px / unit} ${-px / unit})" fill="${colour}">${path}</g>`;
  };
  const lines = canWrite(font, title) ? wrap(font, title, ((CARD.width - MARGIN - TITLE_X) * unit) / TITLE_PX) : [];
  const on_leaf = { x: LEAF.x + LEAF.width / 2, is_centred: true };
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><defs>${gradient(title, 'sky')}</defs>` +
    `<rect width="100%" height="100%" fill="url(#sky)"/>` +
    `<rect x="${LEAF.x}" y="${LEAF.y}" width="${LEAF.width}" height="${LEAF.height}" rx="32" fill="#fffdf9"/>` +
    write(`${String(month).padStart(2, '0')} / ${year}`, { ...on_leaf, y: LEAF.y + 64, px: 42, colour: '#555970' }) +
    write(String(day), { ...on_leaf, y: LEAF.y + 216, px: 164, colour: '#191c33' }) +
    lines
      .map((line, at) => write(line, { x: TITLE_X, y: LEAF.y + 82 + at * 104, px: TITLE_PX, colour: '#fff' }))
      .join('') +
    writeBrand(font, MARGIN, 548) +
    '</svg>';
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 128 }).toBuffer();
}
