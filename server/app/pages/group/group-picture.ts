/** The picture for previews of the link of a group. */
import sharp from 'sharp';
import { canWrite, wrap } from '../calendar/event-picture.ts';
import { CARD, gradient, netOf, openFont, outline, writeBrand } from '../tag-picture.ts';

const MARGIN = 88;
const NAME_PX = 92;
const LINE_PX = 104;
/** The picture of the group, round as those of people in the client. */
const FACE_PX = 268;
const FACE = { x: MARGIN, y: 104 } as const;
const NAME_X = FACE.x + FACE_PX + 56;
/** Where the last line of a name without a picture stands, below the constellation. */
const LAST_BASE = 440;

/** A picture cut to a circle. */
async function cutRound(picture: Buffer): Promise<Buffer> {
  const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="${FACE_PX}" height="${FACE_PX}"><circle cx="50%" cy="50%" r="50%"/></svg>`;
  return sharp(picture)
    .resize(FACE_PX, FACE_PX)
    .composite([{ input: Buffer.from(circle), blend: 'dest-in' }])
    .png()
    .toBuffer();
}

/**
 * The name of a group beside its picture, or below a constellation.
 * @param picture an image file; undefined if the group has none
 * @returns a PNG of 1200 by 630 pixels
 */
export async function drawGroupCard(name: string, picture: Buffer | undefined): Promise<Buffer> {
  const font = await openFont();
  const unit = font.unitsPerEm;
  const x = picture === undefined ? MARGIN : NAME_X;
  const lines = canWrite(font, name) ? wrap(font, name, ((CARD.width - MARGIN - x) * unit) / NAME_PX) : [];
  const first_base = picture === undefined ? LAST_BASE - (lines.length - 1) * LINE_PX : FACE.y + 82;
  const words = lines.map((line, at) => {
    const transform = `translate(${x} ${first_base + at * LINE_PX}) scale(${NAME_PX / unit} ${-NAME_PX / unit})`;
    return `<g transform="${transform}" fill="#fff">${outline(font, line).path}</g>`;
  });
  const has_net = picture === undefined && lines.length < 2;
  const net = has_net ? `<g transform="translate(500 40) scale(3.2)" opacity=".75">${netOf(name)}</g>` : '';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><defs>${gradient(name, 'sky')}</defs>` +
    `<rect width="100%" height="100%" fill="url(#sky)"/>${net}${words.join('')}${writeBrand(font, MARGIN, 548)}</svg>`;
  const card = sharp(Buffer.from(svg));
  if (picture === undefined) return card.png({ palette: true, colours: 128 }).toBuffer();
  const face = { input: await cutRound(picture), left: FACE.x, top: FACE.y };
  return card.composite([face]).png({ palette: true, colours: 256 }).toBuffer();
}
