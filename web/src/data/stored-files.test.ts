/** Which files are stored until they are sent. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sdk } from '../asterism.ts';
import { dropStoredFile, readStoredFile, storeFile } from './stored-files.ts';
import { clearStored, writeStored } from './stored-texts.ts';

const stored = new Map<string, Response>();
const texts = new Map<string, string>();
/** Called before a file is stored. */
let before = () => undefined as unknown;

beforeEach(() => {
  const addressOf = (place: string | Request) =>
    typeof place === 'string' ? new URL(place, 'http://localhost').href : place.url;
  vi.stubGlobal('caches', {
    open: async () => ({
      put: async (place: string, answer: Response) => {
        before();
        stored.set(addressOf(place), answer);
      },
      match: async (place: string | Request) => stored.get(addressOf(place))?.clone(),
      delete: async (place: string | Request) => stored.delete(addressOf(place)),
      keys: async () => [...stored.keys()].map((url) => new Request(url)),
    }),
    delete: async () => stored.clear(),
  });
  vi.stubGlobal(
    'localStorage',
    new Proxy(
      {},
      {
        ownKeys: () => [...texts.keys()],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: (_, name) =>
          ({
            getItem: (key: string) => texts.get(key) ?? null,
            setItem: (key: string, value: string) => void texts.set(key, value),
            removeItem: (key: string) => void texts.delete(key),
          })[String(name)],
      },
    ),
  );
});
afterEach(() => {
  before = () => undefined;
  stored.clear();
  texts.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const fileOf = (bytes: number) => new File([new Uint8Array(bytes)], 'evening.jpg', { type: 'image/jpeg' });
const isStored = async (key: string) => (await readStoredFile(key)) !== undefined;

it('stores what a draft names, and no more than 60 files', async () => {
  const keys = Array.from({ length: 61 }, (_, at) => `key-${at + 100}`);
  writeStored('usr_1', 'files thread thr_1', keys);
  for (const key of keys) await storeFile(key, fileOf(3));
  expect([await isStored('key-159'), await isStored('key-160')]).toEqual([true, false]);
  await dropStoredFile('key-100');
  await storeFile('key-160', fileOf(3));
  expect(await isStored('key-160')).toBe(true);
});

it('deletes files that nothing names any more', async () => {
  writeStored('usr_1', 'files thread thr_1', ['left-by-a-crash']);
  await storeFile('left-by-a-crash', fileOf(3));
  writeStored('usr_1', 'files thread thr_1', ['another']);
  await storeFile('another', fileOf(3));
  expect([await isStored('left-by-a-crash'), await isStored('another')]).toEqual([false, true]);
});

it('leaves nothing of a session that ends while a file is stored', async () => {
  const session = { token: 'a', session_id: 'ses_1', expires_at: '' } as ReturnType<typeof sdk.session.get>;
  const get = vi.spyOn(sdk.session, 'get').mockReturnValue(session);
  writeStored('usr_1', 'files thread thr_1', ['key']);
  before = () => {
    get.mockReturnValue(undefined);
    clearStored();
  };
  await storeFile('key', fileOf(3));
  expect(await isStored('key')).toBe(false);
  expect(texts.size).toBe(0);
});
