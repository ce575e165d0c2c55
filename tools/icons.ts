/**
 * npm run icons: draws the icons of the web client into web/public, from the shape of the asterisk. Run it after a change
 * of that shape or of these colours.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ASTER_ARM, ASTER_TURNS } from '../sdk/constellation.ts';

const folder = join(import.meta.dirname, '..', 'web', 'public');

const gold = '#f2c14e';
const [dusk, night] = ['#343c92', '#11142b'];

/** Stars around the asterisk in a field of 24: centre and radius. */
const stars = [
  [4.4, 17.6, 0.26],
  [6.6, 6, 0.34],
  [17.8, 4.6, 0.26],
  [19.6, 15.4, 0.34],
  [14.2, 20, 0.26],
] as const;

/** @param width of the asterisk, as a share of the field */
function asterisk(width: number, fill: string): string {
  // The arms end one unit before the edge of their field.
  const scale = (width * 24) / 22;
  const arms = ASTER_TURNS.map((turn) => `<path transform="rotate(${turn} 12 12)" d="${ASTER_ARM}"/>`).join('');
  return `<g fill="${fill}" transform="translate(12 12) scale(${scale}) translate(-12 -12)">${arms}</g>`;
}

const sky =
  `<defs><radialGradient id="sky" cx="0.7" cy="0" r="1.1"><stop offset="0" stop-color="${dusk}"/>` +
  `<stop offset="1" stop-color="${night}"/></radialGradient></defs>`;

const drawStars = () => {
  const dots = stars.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`).join('');
  return `<g fill="#fff" fill-opacity="0.75">${dots}</g>`;
};

/**
 * The gold asterisk in the night sky.
 * @param corner the radius of its corners in a field of 24; 0 for systems that cut the shape themselves
 * @param width of the asterisk, as a share of the field
 */
const appIcon = ({ corner, width, has_stars = true }: { corner: number; width: number; has_stars?: boolean }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${sky}<rect width="24" height="24" rx="${corner}" fill="url(#sky)"/>` +
  `${has_stars ? drawStars() : ''}${asterisk(width, gold)}</svg>\n`;

/** Shown by the system in one colour, so that only its shape counts. */
const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${asterisk(0.92, '#fff')}</svg>`;

/** Lines of the icons of shortcuts, in a field of 24. */
const glyphs = {
  chats: '<path d="M7.2 16.6 6.4 18.4 9 17.4a5.6 5.6 0 1 0-1.8-.8Z"/>',
  calls:
    '<path d="M8.4 6.6 10 6.4l1 2.4-1.2 1.1a8 8 0 0 0 4.3 4.3l1.1-1.2 2.4 1-.2 1.6a1.8 1.8 0 0 1-2 1.6A9.4 9.4 0 0 1 6.8 8.6a1.8 1.8 0 0 1 1.6-2Z"/>',
  calendar:
    '<path d="M7.5 7.5h9a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1ZM6.5 10.8h11M9.4 6v2.6M14.6 6v2.6"/>',
  search: '<circle cx="11.2" cy="11.2" r="4.2"/><path d="m14.4 14.4 3.2 3.2"/>',
};

const shortcutIcon = (lines: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${sky}<circle cx="12" cy="12" r="12" fill="url(#sky)"/>` +
  `<g fill="none" stroke="#fffdf9" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">${lines}</g></svg>`;

async function writePng(name: string, pixels: number, svg: string): Promise<void> {
  const picture = sharp(Buffer.from(svg), { density: (72 * pixels) / 24 }).resize(pixels, pixels);
  writeFileSync(join(folder, `${name}.png`), await picture.png({ compressionLevel: 9, palette: false }).toBuffer());
}

writeFileSync(join(folder, 'icon.svg'), appIcon({ corner: 6.5, width: 0.72, has_stars: false }));
const rounded = appIcon({ corner: 5.4, width: 0.54 });
await writePng('icon-192', 192, rounded);
await writePng('icon-512', 512, rounded);
// Systems may cut it down to a circle of four fifths of its width (W3C Web App Manifest, safe zone).
await writePng('icon-maskable-512', 512, appIcon({ corner: 0, width: 0.44 }));
await writePng('icon-apple-180', 180, appIcon({ corner: 0, width: 0.54 }));
await writePng('badge-96', 96, badge);
for (const [name, lines] of Object.entries(glyphs)) await writePng(`shortcut-${name}-96`, 96, shortcutIcon(lines));
