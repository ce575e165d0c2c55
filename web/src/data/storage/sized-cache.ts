/** A cache of the browser whose entries state their size, for what is limited in bytes. */

/** The header of an entry with its size. */
export const SIZE = 'content-length';

/** The part of the Cache API that is used (Service Workers, W3C). */
export interface SizedCache<T extends { readonly url: string }> {
  keys(): Promise<readonly T[]>;
  match(place: T): Promise<Response | undefined>;
  delete(place: T): Promise<boolean>;
}

/** The size of an entry in bytes. */
export async function sizeOf<T extends { readonly url: string }>(cache: SizedCache<T>, place: T): Promise<number> {
  return Number((await cache.match(place))?.headers.get(SIZE) ?? 0);
}
