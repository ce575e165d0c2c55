/** Files stored in this browser until they are sent, for the next page. */
import { SIZE } from './sized-cache.ts';
import { ensureSpace } from './storage-quota.ts';
import { sdk } from '../../asterism.ts';
import { UNSENT_FILES as CACHE } from './cache-names.ts';
import { listStoredTexts } from './stored-texts.ts';

const placeOf = (key: string): string => `/app/unsent/${key}`;

/** The steps in progress: a file that is dropped while it is being stored must not remain. */
let last: Promise<unknown> = Promise.resolve();

/** Runs a step after all others; without storage, or with a full one, nothing is stored, and the page has the file. */
function inOrder<T>(step: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  if (typeof caches === 'undefined') return Promise.resolve(undefined);
  const run = last.then(async () => step(await caches.open(CACHE))).catch(() => undefined);
  last = run;
  return run;
}

/** Stores a file that a stored text names. Whoever signs out meanwhile leaves nothing. */
export async function storeFile(key: string, file: File): Promise<void> {
  const session_id = sdk.session.get()?.session_id;
  await inOrder(async (cache) => {
    if (!(await ensureSpace<Request>(cache, listStoredTexts(), file.size))) return;
    await cache.put(placeOf(key), new Response(file, { headers: { [SIZE]: String(file.size) } }));
    if (sdk.session.get()?.session_id !== session_id) await cache.delete(placeOf(key));
  });
}

/** Reads a stored file; undefined when it is missing. */
export async function readStoredFile(key: string): Promise<Blob | undefined> {
  return inOrder(async (cache) => (await cache.match(placeOf(key)))?.blob());
}

/** Deletes a stored file. */
export async function dropStoredFile(key: string): Promise<void> {
  await inOrder((cache) => cache.delete(placeOf(key)));
}
