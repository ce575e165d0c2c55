/** What is written into the page of the client when it is built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { directionOf, languages, type Language } from '../../sdk/languages.ts';
import { public_pages, session_pages, type FirstPage } from './first-pages.ts';

/** Writes into the page what it shows before any script is loaded: the text direction of the language, and the icon. */
export function fillPage(): Plugin {
  const spoken = (Object.keys(languages) as Language[]).map((one) => [one, directionOf(one)]);
  const directions = JSON.stringify(Object.fromEntries(spoken));
  // The client has gradients of its own.
  const icon = readFileSync(join(import.meta.dirname, '../public/icon.svg'), 'utf8').replaceAll('sky', 'splash-sky');
  const handler = (html: string) => html.replace('__DIRECTIONS__', directions).replace('__ICON__', icon.trim());
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
        const describe = ({ address, modules, requests = [] }: FirstPage) => [address, listFiles(modules), requests];
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
