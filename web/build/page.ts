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
 * Moves the style sheets behind the icon, which is painted without waiting for them; they are requested as early as
 * before. Scripts wait for them there too, so that nothing is rendered without its style.
 */
export function paintIconFirst(): Plugin {
  const after_icon = '\n    <noscript>';
  const handler = (html: string) => {
    if (html.split(after_icon).length !== 2) throw new Error('The page has no one place for its style sheets.');
    const sheets: string[] = [];
    const page = html.replaceAll(/\n *<link rel="stylesheet"[^>]*>/g, (sheet) => {
      sheets.push(sheet);
      return sheet.replace('rel="stylesheet"', 'rel="preload" as="style"');
    });
    return page.replace(after_icon, `${sheets.join('')}${after_icon}`);
  };
  return { name: 'paint-icon-first', transformIndexHtml: { order: 'post', handler } };
}
