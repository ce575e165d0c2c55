/** What is written into the page of the client when it is built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { ASTER_ARM, ASTER_TURNS, drawConstellation, shorten, SKY } from '../../sdk/constellation.ts';
import { directionOf, languages, type Language } from '../../sdk/languages.ts';
import { public_pages, session_pages, type FirstPage } from './first-pages.ts';

/** The style sheets of what is shown before any script is loaded, which no other file contains. */
const first_styles = ['fonts', 'tokens', 'base', 'brand', 'gate'];

const readStyles = () =>
  first_styles.map((name) => readFileSync(join(import.meta.dirname, `../src/styles/${name}.css`), 'utf8')).join('');

const star = ASTER_TURNS.map((turn) => `<path transform="rotate(${turn} 12 12)" d="${ASTER_ARM}"/>`).join('');

/** The constellation of a name, as the client draws it (`src/ui/brand/tag-sky.tsx`). */
function drawNet(name: string): string {
  const { stars, lines, gold } = drawConstellation(name);
  const drawn = lines.map(([from, to]) => {
    const { x1, y1, x2, y2 } = shorten(stars[from]!, stars[to]!);
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  });
  const placed = stars.map(({ x, y, size }, index) =>
    index === gold
      ? `<svg class="g" x="${x - 6}" y="${y - 6}" width="12" height="12" viewBox="0 0 24 24">${star}</svg>`
      : `<circle class="p" cx="${x}" cy="${y}" r="${size}"/>`,
  );
  return `<svg class="net" viewBox="0 0 ${SKY.width} ${SKY.height}">${[...drawn, ...placed].join('')}</svg>`;
}

/**
 * Writes into the page what it shows before any script is loaded: the text direction of the language, the icon, and what
 * people who are signed out see first.
 */
export function fillPage(): Plugin {
  const spoken = (Object.keys(languages) as Language[]).map((one) => [one, directionOf(one)]);
  const directions = JSON.stringify(Object.fromEntries(spoken));
  // The client has gradients of its own.
  const icon = readFileSync(join(import.meta.dirname, '../public/icon.svg'), 'utf8').replaceAll('sky', 'splash-sky');
  const handler = (html: string) =>
    html
      .replace('__DIRECTIONS__', directions)
      .replace('__ICON__', icon.trim())
      .replace('__FIRST_STYLES__', readStyles)
      .replace('__CONSTELLATION__', drawNet('asterism'))
      .replace('__STAR__', star);
  return { name: 'fill-page', transformIndexHtml: { order: 'pre', handler } };
}

/** The chunk of a module that is imported dynamically. */
function findChunk(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find(
    (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(`/src/${module}`),
  );
  if (chunk?.type !== 'chunk') throw new Error(`no chunk begins with src/${module}`);
  return chunk;
}

/** Adds a chunk, what it imports, and their style sheets. */
function addFiles(files: Set<string>, bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk): void {
  if (files.has(chunk.fileName)) return;
  files.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') addFiles(files, bundle, imported);
  }
}

/**
 * Writes into the page which files and requests its address needs first (`first-pages.ts`), and the catalogue of each
 * language.
 */
export function writeFirstPages(): Plugin {
  return {
    name: 'write-first-pages',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        // The development server has no files to name.
        if (bundle === undefined) return html.replace('__FIRST_PAGES__', '[[], [], {}]');
        const own = new Set<string>();
        const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
        if (entry?.type === 'chunk') addFiles(own, bundle, entry);
        const listFiles = (modules: readonly string[]) => {
          const files = new Set<string>();
          for (const module of modules) addFiles(files, bundle, findChunk(bundle, module));
          return [...files.difference(own)];
        };
        const heading_font = Object.keys(bundle).find((name) => /newsreader-.*\.woff2$/.test(name));
        if (heading_font === undefined) throw new Error('the font of headings is not among the built files');
        const describe = ({ address, modules, requests = [], has_heading }: FirstPage) => [
          address,
          [...(has_heading ? [heading_font] : []), ...listFiles(modules)],
          requests,
        ];
        const catalogues = Object.keys(languages)
          .filter((one) => one !== 'en')
          .map((one) => [one, listFiles([`locales/${one}.json`])]);
        const table = [public_pages.map(describe), session_pages.map(describe), Object.fromEntries(catalogues)];
        return html.replace('__FIRST_PAGES__', () => JSON.stringify(table));
      },
    },
  };
}

/**
 * Lets the icon be painted without waiting for the style sheets, which are loaded as early and as urgently as before. They
 * stay before those of pages, which override them; `applyLateStyles` (`src/app/late-styles.ts`) applies them.
 */
export function lateStyles(): Plugin {
  const sheet = /<link rel="stylesheet"([^>]*)>/g;
  const handler = (html: string) => {
    if (!sheet.test(html)) throw new Error('The page has no style sheets.');
    return html.replaceAll(sheet, '<link rel="preload" as="style"$1><link rel="stylesheet" media="not all"$1>');
  };
  return { name: 'late-styles', apply: 'build', transformIndexHtml: { order: 'post', handler } };
}
