/** Which tiles of the map are kept: 20 MB of those that were shown last, and the whole world. */

import { sizeOf, type SizedCache } from '../data/storage/sized-cache.ts';

const MAX_BYTES = 20 * 1024 * 1024;
/** The tiles of these levels show the whole world; they are few, are fetched with the style, and are never evicted. */
export const OVERVIEW_LEVELS = 3;

const isOverview = (path: string): boolean => {
  const level = /^\/map\/tiles\/(\d+)\//.exec(path)?.[1];
  return level === undefined || Number(level) < OVERVIEW_LEVELS;
};

/** Deletes what was fetched longest ago until the rest is small enough; a cache lists what was stored last at its end. */
export async function trimTiles<T extends { readonly url: string }>(cache: SizedCache<T>): Promise<void> {
  const all = await Promise.all(
    (await cache.keys()).map(async (place) => ({ place, bytes: await sizeOf(cache, place) })),
  );
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { place, bytes } of all) {
    if (total <= MAX_BYTES) return;
    if (isOverview(new URL(place.url).pathname)) continue;
    await cache.delete(place);
    total -= bytes;
  }
}
