import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, defaultClientConditions, defineConfig } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { directionOf, languages, type Language } from '../sdk/languages.ts';
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

/** The libraries of dialogs and menus. */
const overlay_packages =
  /node_modules.(@radix-ui|radix-ui|@floating-ui|react-remove-scroll|aria-hidden|use-sidecar|use-callback-ref|react-style-singleton|get-nonce|tslib)\b/;
const vendor_packages = /node_modules.(preact|@tanstack.(?!react-virtual|virtual-core))\b/;

/** The modules of the call pages. */
const media_packages = /node_modules.(livekit-client|@livekit|@mediapipe)\b/;

/** The number formats of all countries, for pages with telephone numbers. */
const phone_packages = /node_modules.libphonenumber-js\b/;

/** The QR code library, which several pages need, but not the first one. */
const code_packages = /node_modules.uqr\b/;

/** The groups that each module needs, directly or by its imports, so that a page is readable before the rest is loaded. */
const needs = new Map<RegExp, Map<string, boolean>>();

function isNeeded(packages: RegExp, id: string, context: Rolldown.ChunkingContext): boolean {
  const known = needs.get(packages) ?? new Map<string, boolean>();
  needs.set(packages, known);
  const found = known.get(id);
  if (found !== undefined) return found;
  // Set first, so that cyclic imports terminate.
  known.set(id, packages.test(id));
  const imported = context.getModuleInfo(id)?.importedIds ?? [];
  const is_needed = packages.test(id) || imported.some((one) => isNeeded(packages, one, context));
  known.set(id, is_needed);
  return is_needed;
}

/** The entry modules: their imports are loaded before anything is shown. */
const first_modules = /src.(main|features.home.home-page)\.tsx$/;

const is_first = new Map<string, boolean>();

/** Icons are imported by name from a module that exports them all, which therefore does not tell who needs one. */
const icon_names = /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g;
const icon_modules = /lucide-react.dist.esm.icons.([\w-]+)\.mjs$/;
let first_icons: Set<string> | undefined;

/** The files of the icons that modules of the first page name. */
function listFirstIcons(index: string, context: Rolldown.ChunkingContext): Set<string> {
  const { code, importers = [] } = context.getModuleInfo(index) ?? {};
  const imports = importers
    .filter((one) => isFirst(one, context))
    .map((one) => context.getModuleInfo(one)?.code?.match(/import \{[^}]*\} from ["']lucide-react["']/)?.[0] ?? '');
  const named = new Set(imports.join().match(/\w+/g));
  const exported = [...(code ?? '').matchAll(icon_names)];
  const isNamed = (names: string) => [...names.matchAll(/default as (\w+)/g)].some(([, name = '']) => named.has(name));
  return new Set(exported.filter(([, names = '']) => isNamed(names)).map(([, , file = '']) => file));
}

/** Whether a module is loaded with the first page, through any importer. */
function isFirst(id: string, context: Rolldown.ChunkingContext): boolean {
  const found = is_first.get(id);
  if (found !== undefined) return found;
  // Set first, so that cyclic imports terminate.
  is_first.set(id, first_modules.test(id));
  const importers = context.getModuleInfo(id)?.importers ?? [];
  const icon = icon_modules.exec(id)?.[1];
  if (icon !== undefined) {
    first_icons ??= listFirstIcons(importers.find((one) => one.endsWith('lucide-react.mjs')) ?? '', context);
    is_first.set(id, first_icons.has(icon));
    return first_icons.has(icon);
  }
  const answer = first_modules.test(id) || importers.some((one) => isFirst(one, context));
  is_first.set(id, answer);
  return answer;
}

/** Code shared by several pages: in one file, apart from what needs dialogs and menus. Null for the code of calls. */
function nameShared(id: string, context: Rolldown.ChunkingContext): string | null {
  if (isNeeded(media_packages, id, context)) return null;
  if (isNeeded(code_packages, id, context)) return 'shared-codes';
  if (isNeeded(phone_packages, id, context)) return 'shared-phones';
  if (isNeeded(overlay_packages, id, context)) return 'shared-overlay';
  return isFirst(id, context) ? 'shared' : 'shared-pages';
}

/** A few files instead of a hundred small ones, each of which is a request on a slow connection. */
const chunk_groups = [
  // Before its importers, since a group includes what its modules import.
  { name: 'vendor', test: vendor_packages, priority: 1 },
  { name: 'overlay', test: overlay_packages },
  { name: 'livekit', test: media_packages },
  { name: 'phone-numbers', test: phone_packages },
  // The first page would otherwise load a dozen files of a few lines.
  {
    name: (id: string, context: Rolldown.ChunkingContext) => (nameShared(id, context) === 'shared' ? 'shared' : null),
    debugName: 'shared-first',
    minShareCount: 2,
  },
  { name: nameShared, debugName: 'shared', minShareCount: 3 },
  // After the others: pages that share something with calls would otherwise need the media client.
  {
    name: (id: string, context: Rolldown.ChunkingContext) =>
      isNeeded(media_packages, id, context) ? 'shared-call' : null,
    debugName: 'shared-call',
    minShareCount: 3,
  },
];

/** Writes into the page what it shows before any script is loaded: the text direction of the language, and the icon. */
function fillPage(): Plugin {
  const spoken = (Object.keys(languages) as Language[]).map((one) => [one, directionOf(one)]);
  const directions = JSON.stringify(Object.fromEntries(spoken));
  // The client has gradients of its own.
  const icon = readFileSync(join(import.meta.dirname, 'public/icon.svg'), 'utf8').replaceAll('sky', 'splash-sky');
  const handler = (html: string) => html.replace('__DIRECTIONS__', directions).replace('__ICON__', icon.trim());
  return { name: 'fill-page', transformIndexHtml: { order: 'pre', handler } };
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

/** Also writes compressible files as Brotli and gzip, so that nothing is compressed per request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      for (const folder of ['dist/assets', ...APART.map(({ name }) => `dist/${name}`)])
        for (const name of readdirSync(folder)) {
          if (!/\.(m?js|css|svg|json|wasm)$/.test(name)) continue;
          const path = join(folder, name);
          const bytes = readFileSync(path);
          if (bytes.length < min_bytes) continue;
          writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
          writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        }
    },
  };
}

export default defineConfig({
  base,
  json,
  plugins: [
    headingFont(),
    emojiNames(),
    fillPage(),
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
