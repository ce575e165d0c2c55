/** The client without a network, or with a slow one: its files are cached, and its page for every address. */

/** Set by the build: a name that changes with the files, and the files to fetch when the worker is installed. */
declare const SHELL_NAME: string;
declare const SHELL_FILES: readonly string[];

const PREFIX = 'asterism-shell-';
const PAGE = '/app/';
const FILES = '/app/assets/';
/** A slower network is not awaited: the cached page is shown, and a newer build when the client is next opened. */
const PAGE_WAIT_MS = 500;

const shellName = () => PREFIX + SHELL_NAME;

/** Caches the page and the files that every page needs. */
export async function cacheShell(): Promise<void> {
  await (await caches.open(shellName())).addAll([PAGE, ...SHELL_FILES]);
}

/** Deletes the files of earlier builds, except the last one: pages that are open may still need parts of it. */
export async function dropOldShells(): Promise<void> {
  // In the order in which they were created.
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== shellName());
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function answerPage(request: Request): Promise<Response> {
  // It was cached in the browser's language at that time; the page's script selects the current one.
  const kept = await (await caches.open(shellName())).match(PAGE, { ignoreVary: true });
  if (kept === undefined) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PAGE_WAIT_MS));
  const answer = fetch(request).then(
    // A proxy whose service is down.
    (fresh) => (fresh.status >= 500 ? kept : fresh),
    () => kept,
  );
  return Promise.race([answer, late]);
}

/** Answers a file from the cache, otherwise from the network. The page gets its file even if caching fails. */
async function answerFile({ url }: Request): Promise<Response> {
  const kept = await caches.match(url).catch(() => undefined);
  if (kept !== undefined) return kept;
  // Fetched by address, without the page's request: when the page is closed its requests are aborted, but the next page
  // needs the file.
  const fresh = await fetch(url);
  const cache = fresh.ok ? await caches.open(shellName()).catch(() => undefined) : undefined;
  await cache?.put(url, fresh.clone()).catch(() => undefined);
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
