/** The locale that a page has chosen, where its worker can read it: workers read no local storage. */
const CACHE = 'asterism-language';
const PLACE = '/app/language';

/** Keeps the locale that the page speaks. @param locale a BCP 47 tag */
export async function storeWorkerLocale(locale: string): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(PLACE, new Response(locale));
}

/** The locale that a page spoke last; undefined before the first. */
export async function readWorkerLocale(): Promise<string | undefined> {
  const kept = await (await caches.open(CACHE)).match(PLACE);
  return kept?.text();
}
