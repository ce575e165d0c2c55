/** The pages of the client without a network: its files are kept, and its address answers with the page that was kept. */

/** Set by the build: a name that changes with the files, and what is fetched when the worker is installed. */
declare const SHELL_NAME: string;
declare const SHELL_FILES: readonly string[];

const PREFIX = 'asterism-shell-';
const PAGE = '/app/';
const FILES = '/app/assets/';
/** A network that answers later than this is taken for none, where there is a page to show instead. */
const PAGE_WAIT_MS = 4_000;

const shellName = () => PREFIX + SHELL_NAME;

/** Fetches the page and the files that every page needs. */
export async function keepShell(): Promise<void> {
  await (await caches.open(shellName())).addAll([PAGE, ...SHELL_FILES]);
}

/** Forgets the files of earlier builds. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== shellName());
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answerPage(request: Request): Promise<Response> {
  // It was kept in the language that the browser asked for then; its script says in which it is read.
  const kept = await (await caches.open(shellName())).match(PAGE, { ignoreVary: true });
  if (kept === undefined) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PAGE_WAIT_MS));
  return Promise.race([fetch(request).catch(() => kept), late]);
}

/** Answers a file from what is kept, else from the network. Where nothing can be kept, the page has its file all the same. */
async function answerFile({ url }: Request): Promise<Response> {
  const cache = await caches.open(shellName()).catch(() => undefined);
  const kept = await cache?.match(url).catch(() => undefined);
  if (kept !== undefined) return kept;
  // By its address alone: a page that is left takes its own requests back, and the file is wanted by the next.
  const fresh = await fetch(url);
  if (fresh.ok) await cache?.put(url, fresh.clone()).catch(() => undefined);
  return fresh;
}

/**
 * The answer to a request of a page, where the worker has one of its own; undefined where the network answers as if there
 * were no worker, as it does to everything that is asked of the service.
 */
export function answerShell({ request }: FetchEvent): Promise<Response> | undefined {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') return pathname.startsWith(PAGE) ? answerPage(request) : undefined;
  // The names of these files change with what is in them.
  return pathname.startsWith(FILES) ? answerFile(request) : undefined;
}
