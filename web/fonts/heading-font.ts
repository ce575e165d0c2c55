/** The font of headings with the characters, weights and optical sizes that the client shows, for a smaller download. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const source = '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2';

/** The weights of headings, and their sizes in CSS pixels, from the letters of lists to the words beside signing in. */
const variationAxes = { wght: { min: 500, max: 600 }, opsz: { min: 14, max: 72 } };

/** The code points of its `unicode-range` in `fonts.css`. */
const ranges = [
  [0x00, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
] as const;

/**
 * Writes the font.
 * @param folder where it is written
 * @returns its path, whose name begins as that of its source
 */
export async function writeHeadingFont(folder: string): Promise<string> {
  const text = ranges.map(([first, last]) =>
    String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  );
  const whole = readFileSync(createRequire(import.meta.url).resolve(source));
  const font = await subsetFont(whole, text.join(''), { targetFormat: 'woff2', variationAxes });
  const path = join(folder, 'newsreader-latin-headings.woff2');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, font);
  return path;
}
