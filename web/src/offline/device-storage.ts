/** Where this device stores what one session has read. */

/** The part of the Cache API that is used here (Service Workers, W3C). */
interface Caches {
  open(name: string): Promise<{
    put(place: string, answer: Response): Promise<void>;
    match(place: string): Promise<Response | undefined>;
  }>;
  delete(name: string): Promise<boolean>;
}

const storage = () => (globalThis as { caches?: Caches }).caches;
const CACHE = 'asterism-read';
const PLACE = '/app/read';

/** What was stored last; undefined without anything. */
export async function readStored(): Promise<unknown> {
  const found = await (await storage()?.open(CACHE))?.match(PLACE);
  return found === undefined ? undefined : ((await found.json()) as unknown);
}

/**
 * Stores something instead of what was stored before.
 * @param isCurrent whether the session it belongs to has not ended: somebody may sign out while it is stored
 */
export async function store(value: object, isCurrent: () => boolean): Promise<void> {
  const cache = await storage()?.open(CACHE);
  if (isCurrent()) await cache?.put(PLACE, Response.json(value));
  if (!isCurrent()) await clearPersistedQueries();
}

/** Deletes all persisted data: another person may use the device next. */
export async function clearPersistedQueries(): Promise<void> {
  await storage()
    ?.delete(CACHE)
    .catch(() => undefined);
}
