/**
 * The map without a network: its style and the tiles that were shown last. The address of a tile contains a token that
 * changes; the tile itself does not depend on it.
 */

import { MAP_TILES as CACHE } from '../data/storage/cache-names.ts';
import { SIZE } from '../data/storage/sized-cache.ts';
import { OVERVIEW_LEVELS, trimTiles } from './tile-eviction.ts';

const PREFIX = '/map/';
const STYLE = `${PREFIX}style.json`;
/** Reading the sizes of all tiles takes longer than storing one. */
const TRIM_EVERY = 50;
let stored_count = 0;

async function storeAnswer(path: string, answer: Response): Promise<void> {
  const body = await answer.blob();
  const type = answer.headers.get('content-type') ?? '';
  const cache = await caches.open(CACHE);
  // It is stored again at the end of the list.
  await cache.delete(path);
  await cache.put(path, new Response(body, { headers: { 'content-type': type, [SIZE]: String(body.size) } }));
  stored_count += 1;
  if (stored_count % TRIM_EVERY === 0) await trimTiles<Request>(cache);
}

/** Fetches the tiles of the whole world that are not stored yet. */
async function storeOverview(token: string): Promise<void> {
  const cache = await caches.open(CACHE);
  for (let level = 0; level < OVERVIEW_LEVELS; level++) {
    for (let at = 0; at < 4 ** level; at++) {
      const path = `${PREFIX}tiles/${level}/${at % 2 ** level}/${Math.floor(at / 2 ** level)}.mvt`;
      if ((await cache.match(path)) !== undefined) continue;
      const answer = await fetch(`${path}${token}`);
      if (!answer.ok) return;
      await storeAnswer(path, answer);
    }
  }
}

async function answerMap(event: FetchEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url);
  const kept = async () => (await caches.open(CACHE)).match(pathname);
  try {
    const answer = await fetch(event.request);
    if (!answer.ok) return (await kept()) ?? answer;
    const store = async (copy: Response) => {
      await storeAnswer(pathname, copy);
      if (pathname === STYLE) await storeOverview(search);
    };
    // A full storage, or a lost connection: the page has its answer.
    event.waitUntil(store(answer.clone()).catch(() => undefined));
    return answer;
  } catch (error) {
    const stored = await kept().catch(() => undefined);
    if (stored === undefined) throw error;
    return stored;
  }
}

/** The response to a request of the built-in map; undefined for everything else. */
export function answerMapRequest(event: FetchEvent): Promise<Response> | undefined {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== self.location.origin) return undefined;
  return pathname.startsWith(PREFIX) && event.request.mode !== 'navigate' ? answerMap(event) : undefined;
}
