/** The font of headings with the characters, weights and optical sizes that the client shows, for a smaller download. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const source = '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2';

/** The weights of headings, and their sizes in CSS pixels, from the letters of lists to the words beside signing in. */
const variationAxes = { wght: { min: 500, max: 600 }, opsz: { min: 14, max: 72 } };

/** The characters that the client shows in it. @throws Error if its style sheet names none */
function readCharacters(): string {
  const styles = readFileSync(join(import.meta.dirname, '../src/styles/fonts.css'), 'utf8');
  const [, range = ''] = /font-family: Newsreader;[^}]*unicode-range:([^;}]*)/.exec(styles) ?? [];
  const characters = [...range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].flatMap(([, from = '', to = from]) => {
    const [first, last] = [parseInt(from, 16), parseInt(to, 16)];
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });
  if (characters.length === 0) throw new Error('fonts.css has no unicode-range of Newsreader');
  return characters.join('');
}

/**
 * Writes the font.
 * @param folder where it is written
 * @returns its path, whose name begins as that of its source
 */
export async function writeHeadingFont(folder: string): Promise<string> {
  const whole = readFileSync(createRequire(import.meta.url).resolve(source));
  const font = await subsetFont(whole, readCharacters(), { targetFormat: 'woff2', variationAxes });
  const path = join(folder, 'newsreader-latin-headings.woff2');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, font);
  return path;
}
