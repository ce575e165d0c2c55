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
