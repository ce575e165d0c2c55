/** The styles and scripts of server-rendered pages: files next to this one, which are inlined into the page. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const assets_dir = join(import.meta.dirname, '..', '..', '..', 'web', 'dist', 'assets');

/** The client's fonts, by the file names of its build; without a build the system's fonts are used. */
function writeFonts(): string {
  const files = existsSync(assets_dir) ? readdirSync(assets_dir) : [];
  const faces = { Figtree: /^figtree-latin-.*\.woff2$/, Newsreader: /^newsreader-latin-.*\.woff2$/ };
  return Object.entries(faces)
    .flatMap(([family, shape]) => {
      const file = files.find((name) => shape.test(name));
      return file
        ? `@font-face{font-family:${family};src:url(/app/assets/${file}) format('woff2');font-weight:200 900;font-display:swap}\n`
        : [];
    })
    .join('');
}

/**
 * A style sheet or a script as inlined into a page, with the source that allows it in a policy (CSP 3, section 2.3.1).
 */
export interface Inline {
  readonly text: string;
  readonly source: string;
}

/** The source expression that allows an inline script or style sheet in a content security policy. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const toInline = (text: string): Inline => ({ text, source: hashSource(text) });

/** Reads a script. */
export const readScript = (...path: string[]): Inline => toInline(readFileSync(join(...path), 'utf8'));

/** Reads style sheets, preceded by the fonts and styles common to these pages. */
export function readStyle(...files: string[]): Inline {
  const common = join(import.meta.dirname, 'look', 'page.css');
  return toInline(writeFonts() + [common, ...files].map((file) => readFileSync(file, 'utf8')).join(''));
}
