/** What is stored of a session that ends while it is stored. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearPersistedQueries, readStored, store } from './device-storage.ts';

const stored = new Map<string, Response>();
/** Called before a step of the storage takes effect. */
let before: (step: 'open' | 'put') => Promise<void> | void = () => undefined;

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('caches', {
    open: async () => {
      await before('open');
      return {
        put: async (place: string, answer: Response) => {
          await before('put');
          stored.set(place, answer);
        },
        match: async (place: string) => stored.get(place)?.clone(),
      };
    },
    delete: () => Promise.resolve(stored.clear()),
  });
});
afterEach(() => {
  before = () => undefined;
  vi.unstubAllGlobals();
});

it('is stored while the session lasts', async () => {
  await store({ session_id: 'ses_1' }, () => true);
  expect(await readStored()).toEqual({ session_id: 'ses_1' });
});

it.each(['open', 'put'] as const)('is not left when the session ends before the step `%s`', async (last) => {
  let is_current = true;
  before = async (step) => {
    if (step !== last) return;
    is_current = false;
    await clearPersistedQueries();
  };
  await store({ session_id: 'ses_1' }, () => is_current);
  before = () => undefined;
  expect(await readStored()).toBeUndefined();
});
