import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzipSync } from 'node:zlib';
import { build, defaultClientConditions, defineConfig } from 'vite';
import type { Plugin } from 'vite';
import type { Language } from '../sdk/languages.ts';
import { chunk_groups } from './build/chunks.ts';
import { fillPage, lateStyles, writeFirstPages } from './build/page.ts';
import { packEmoji } from './emoji/pack-emoji.ts';
import { headingFont, preloadTextFont } from './fonts/fonts.ts';

// `vite dev` proxies to a service on its default port; the built client is served by the service itself.
const service = 'http://localhost:8080';
const base = '/app/';
const target = 'es2022';
/** The keys of catalogues are English texts, not identifiers. */
const json = { namedExports: false };
/** The SDK is built from its sources. */
const conditions = ['asterism-source', ...defaultClientConditions];

/** Code that only some pages or readers need: the media client, the map, background blur, emoji and the other languages. */
const late_files =
  /^((ar|de|es|fr)-|emoji-|map-|maplibre-|livekit-|live-call-|full-call-|shared-call-|selfie_segmentation)/;

/** The files that the service worker precaches, and a version that changes with them. */
function listShell() {
  const names = readdirSync('dist/assets').filter((name) => /\.(js|css|woff2)$/.test(name) && !late_files.test(name));
  const name = createHash('sha256')
    .update(readFileSync('dist/index.html'))
    .update(names.join())
    .digest('hex')
    .slice(0, 12);
  return { name, files: names.map((file) => `${base}assets/${file}`) };
}

/** Builds the service worker as one plain file at the root of its scope, under a name that never changes. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async closeBundle() {
      const shell = listShell();
      await build({
        configFile: false,
        json,
        resolve: { conditions },
        logLevel: 'warn',
        base,
        define: {
          'process.env.NODE_ENV': JSON.stringify('production'),
          SHELL_NAME: JSON.stringify(shell.name),
          SHELL_FILES: JSON.stringify(shell.files),
        },
        build: {
          outDir: 'dist',
          emptyOutDir: false,
          copyPublicDir: false,
          target,
          lib: { entry: 'src/worker/sw.ts', formats: ['iife'], name: 'worker', fileName: () => 'sw.js' },
        },
      });
    },
  };
}

/** Separate entries outside of the client: the frame of widgets, and the map of a live link's page. */
const APART = [
  { name: 'widget', entry: 'src/widget/frame.ts', base: '/w/assets/' },
  { name: 'live-map', entry: 'src/live-map/live-map.ts', base: '/map/assets/' },
];

/** Builds each of them separately: they share neither code nor file names with the client. */
function buildApart(): Plugin {
  return {
    name: 'build-apart',
    apply: 'build',
    async closeBundle() {
      for (const { name, entry, base: own_base } of APART)
        await build({
          configFile: false,
          json,
          resolve: { conditions },
          logLevel: 'warn',
          base: own_base,
          build: {
            outDir: `dist/${name}`,
            copyPublicDir: false,
            assetsDir: '',
            manifest: 'manifest.json',
            target,
            chunkSizeWarningLimit: 1_200,
            rollupOptions: { input: entry },
          },
        });
    },
  };
}

/** The modules `virtual:emoji/de`: the emoji with their names in one language. */
function emojiNames(): Plugin {
  const folder = 'virtual:emoji/';
  return {
    name: 'emoji-names',
    // The last part is the name of the built file.
    resolveId: (id) => (id.startsWith(folder) ? `\0emoji/emoji-${id.slice(folder.length)}` : undefined),
    load(id) {
      const [, language] = /^\0emoji\/emoji-(\w+)$/.exec(id) ?? [];
      if (language === undefined) return undefined;
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(packEmoji(language as Language)))});`;
    },
  };
}

/** Smaller files are not worth compressing, in bytes. */
const min_bytes = 1_024;

/** The size up to which a file is compressed as well as Brotli can: 7 % better, in ten times the time. */
const best_bytes = 600_000;

const brotli = promisify(brotliCompress);

/** Writes a file as Brotli and gzip beside it. */
async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < min_bytes) return;
  const quality = bytes.length <= best_bytes ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MAX_QUALITY - 2;
  await writeFile(`${path}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
  await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Also writes compressible files as Brotli and gzip, so that nothing is compressed per request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const folders = ['dist/assets', ...APART.map(({ name }) => `dist/${name}`)];
      const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
      await Promise.all(paths.filter((path) => /\.(m?js|css|svg|json|wasm)$/.test(path)).map(compressFile));
    },
  };
}

/** What every page needs: about half of its functions are called before the first page is shown. */
const first_chunks = /^(index|shared|vendor)$/;

/**
 * Tells V8 to compile all functions of a file while it arrives, beside the main thread, instead of each when it is first called
 * (explicit compile hints of V8; for other engines a comment).
 */
function compileEarly(): Plugin {
  return {
    name: 'compile-early',
    apply: 'build',
    // After Vite has written the addresses of style sheets at the start of a file, where the hint has to be.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const part of Object.values(bundle))
          if (part.type === 'chunk' && first_chunks.test(part.name))
            part.code = `//# allFunctionsCalledOnLoad\n${part.code}`;
      },
    },
  };
}

export default defineConfig({
  base,
  json,
  plugins: [
    headingFont(),
    emojiNames(),
    compileEarly(),
    fillPage(),
    writeFirstPages(),
    lateStyles(),
    preloadTextFont(base),
    serviceWorker(),
    buildApart(),
    precompress(),
  ],
  // The source of the SDK, not its package.
  resolve: {
    conditions,
    // Preact instead of React, for our components and those of packages: a sixth of the size.
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    target,
    // A browser without module preloading loads the same files a moment later.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
    rollupOptions: {
      output: { codeSplitting: { groups: chunk_groups } },
      // Directives of server components, which some packages contain, have no effect here.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  server: {
    proxy: { '/v1': { target: service, ws: true } },
  },
});
