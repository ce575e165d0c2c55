/** The client without a network: its files are cached, and every address of it is answered with the cached page. */

/** Set by the build: a name that changes with the files, and the files to fetch when the worker is installed. */
declare const SHELL_NAME: string;
declare const SHELL_FILES: readonly string[];

const PREFIX = 'asterism-shell-';
const PAGE = '/app/';
const FILES = '/app/assets/';
/** A slower network is treated as none, if there is a cached page. */
const PAGE_WAIT_MS = 4_000;

const shellName = () => PREFIX + SHELL_NAME;

/** Caches the page and the files that every page needs. */
export async function cacheShell(): Promise<void> {
  await (await caches.open(shellName())).addAll([PAGE, ...SHELL_FILES]);
}

/** Deletes the files of earlier builds. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== shellName());
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answerPage(request: Request): Promise<Response> {
  // It was cached in the browser's language at that time; the page's script selects the current one.
  const kept = await (await caches.open(shellName())).match(PAGE, { ignoreVary: true });
  if (kept === undefined) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PAGE_WAIT_MS));
  return Promise.race([fetch(request).catch(() => kept), late]);
}

/** Answers a file from the cache, otherwise from the network. The page gets its file even if caching fails. */
async function answerFile({ url }: Request): Promise<Response> {
  const cache = await caches.open(shellName()).catch(() => undefined);
  const kept = await cache?.match(url).catch(() => undefined);
  if (kept !== undefined) return kept;
  // Fetched by address, without the page's request: when the page is closed its requests are aborted, but the next page
  // needs the file.
  const fresh = await fetch(url);
  if (fresh.ok) await cache?.put(url, fresh.clone()).catch(() => undefined);
  return fresh;
}

/**
 * The response to a request of a page that the worker answers itself; undefined for everything else, including all
 * requests to the service, which then go to the network as if there were no worker.
 */
export function answerShell({ request }: FetchEvent): Promise<Response> | undefined {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') return pathname.startsWith(PAGE) ? answerPage(request) : undefined;
  // The names of these files change with their contents.
  return pathname.startsWith(FILES) ? answerFile(request) : undefined;
}
