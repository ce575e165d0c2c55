/**
 * What another app has shared with this one (Web Share Target API, W3C). The service worker stores it, and a page lets
 * the reader choose its chat. Only what was shared last is kept.
 */
import { SHARED_CONTENT as CACHE } from '../data/storage/cache-names.ts';
import { joinTexts } from './join-texts.ts';

/** What was shared. */
export interface SharedContent {
  readonly text: string;
  readonly files: readonly File[];
}

/** The most files of one message. */
const MAX_FILES = 10;

const TEXT = '/app/shared/text';
const fileAt = (at: number): string => `/app/shared/${at}`;
const NAME = 'x-file-name';

/** Stores what was shared, instead of what was shared before. */
export async function storeShared(form: FormData): Promise<void> {
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  const texts = ['title', 'text', 'url'].map((name) => form.get(name)).filter((one) => typeof one === 'string');
  const files = form.getAll('files').filter((one) => one instanceof File && one.size > 0) as File[];
  for (const [at, file] of files.slice(0, MAX_FILES).entries()) {
    const headers = { 'content-type': file.type, [NAME]: encodeURIComponent(file.name) };
    await cache.put(fileAt(at), new Response(file, { headers }));
  }
  await cache.put(TEXT, new Response(joinTexts(texts)));
}

/** Reads what was shared last; undefined when nothing is kept. */
export async function readShared(): Promise<SharedContent | undefined> {
  if (typeof caches === 'undefined') return undefined;
  const cache = await caches.open(CACHE);
  const text = await (await cache.match(TEXT))?.text();
  if (text === undefined) return undefined;
  const files: File[] = [];
  for (let at = 0; at < MAX_FILES; at++) {
    const kept = await cache.match(fileAt(at));
    if (kept === undefined) break;
    const type = kept.headers.get('content-type') ?? '';
    files.push(new File([await kept.blob()], decodeURIComponent(kept.headers.get(NAME) ?? ''), { type }));
  }
  return { text, files };
}

/** Forgets what was shared. */
export async function dropShared(): Promise<void> {
  await caches.delete(CACHE);
}
