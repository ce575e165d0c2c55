/** Which modules of the client are built into one file. */
import type { Rolldown } from 'vite';

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

/** Features whose shared code other pages do without. */
const feature_modules = /src.features.(calls|calendar)\b/;

/** Code shared by several pages: in one file, apart from what needs dialogs and menus. Null for the code of calls. */
function nameShared(id: string, context: Rolldown.ChunkingContext): string | null {
  if (isNeeded(media_packages, id, context)) return null;
  if (isNeeded(code_packages, id, context)) return 'shared-codes';
  if (isNeeded(phone_packages, id, context)) return 'shared-phones';
  if (isNeeded(overlay_packages, id, context)) return 'shared-overlay';
  if (isFirst(id, context)) return 'shared';
  const [, feature = 'pages'] = feature_modules.exec(id) ?? [];
  return `shared-${feature}`;
}

/** One of these names, for a group that comes before the others. */
const only = (name: string) => (id: string, context: Rolldown.ChunkingContext) =>
  nameShared(id, context) === name ? name : null;

/** A few files instead of a hundred small ones, each of which is a request on a slow connection. */
export const chunk_groups = [
  // Before its importers, since a group includes what its modules import.
  { name: 'vendor', test: vendor_packages, priority: 1 },
  { name: 'overlay', test: overlay_packages },
  { name: 'livekit', test: media_packages },
  { name: 'phone-numbers', test: phone_packages },
  // The first page would otherwise load a dozen files of a few lines.
  { name: only('shared'), debugName: 'shared-first', minShareCount: 2 },
  // Before those that import them.
  { name: only('shared-pages'), debugName: 'shared-pages', minShareCount: 3 },
  { name: nameShared, debugName: 'shared', minShareCount: 3 },
  // After the others: pages that share something with calls would otherwise need the media client.
  {
    name: (id: string, context: Rolldown.ChunkingContext) =>
      isNeeded(media_packages, id, context) ? 'shared-call' : null,
    debugName: 'shared-call',
    minShareCount: 3,
  },
];
