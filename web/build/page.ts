/** What is written into the page of the client when it is built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { directionOf, languages, type Language } from '../../sdk/languages.ts';

/** Writes into the page what it shows before any script is loaded: the text direction of the language, and the icon. */
export function fillPage(): Plugin {
  const spoken = (Object.keys(languages) as Language[]).map((one) => [one, directionOf(one)]);
  const directions = JSON.stringify(Object.fromEntries(spoken));
  // The client has gradients of its own.
  const icon = readFileSync(join(import.meta.dirname, '../public/icon.svg'), 'utf8').replaceAll('sky', 'splash-sky');
  const handler = (html: string) => html.replace('__DIRECTIONS__', directions).replace('__ICON__', icon.trim());
  return { name: 'fill-page', transformIndexHtml: { order: 'pre', handler } };
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
