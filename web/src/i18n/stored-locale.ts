/**
 * The locale that a page has selected, stored where its worker can read it: workers have no access to local storage.
 */
const CACHE = 'asterism-language';
const PLACE = '/app/language';

/** Stores the page's locale. @param locale a BCP 47 tag */
export async function storeWorkerLocale(locale: string): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(PLACE, new Response(locale));
}

/** The locale that a page used last; undefined before the first. */
export async function readWorkerLocale(): Promise<string | undefined> {
  const kept = await (await caches.open(CACHE)).match(PLACE);
  return kept?.text();
}
