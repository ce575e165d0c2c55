/** The bounds of what is stored until it is sent. */
import { sizeOf, type SizedCache } from './sized-cache.ts';

/** What is stored at most; the page has more, and loses it when it ends. */
const MAX_FILES = 60;
const MAX_BYTES = 250 * 1024 * 1024;

/**
 * Whether a file fits beside those stored. Files that no text names any more, after a crash, are deleted first.
 * @param texts everything that may name a stored file
 */
export async function ensureSpace<T extends { readonly url: string }>(
  stored: SizedCache<T>,
  texts: readonly string[],
  size: number,
): Promise<boolean> {
  const named = texts.join('\n');
  let [files, bytes] = [1, size];
  for (const place of await stored.keys()) {
    const key = place.url.slice(place.url.lastIndexOf('/') + 1);
    if (!named.includes(key)) await stored.delete(place);
    else {
      files += 1;
      bytes += await sizeOf(stored, place);
    }
  }
  return files <= MAX_FILES && bytes <= MAX_BYTES;
}
