/** The fonts of the web client in its build. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { writeHeadingFont } from './heading-font.ts';

/** Makes the font of headings available to style sheets as `@heading-font`. */
export function headingFont(): Plugin {
  return {
    name: 'heading-font',
    config: async () => ({
      resolve: { alias: { '@heading-font': await writeHeadingFont(join(import.meta.dirname, '../../.cache/fonts')) } },
    }),
  };
}

/** Loads the font of the text with the scripts; otherwise it is requested only when the first text is laid out. */
export function preloadTextFont(base: string): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => /figtree-latin-.*\.woff2$/.test(name));
        if (file === undefined) throw new Error('the font of the text is not among the built files');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `${base}${file}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
