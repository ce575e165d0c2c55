/** Which files are stored until they are sent. */
import { expect, it } from 'vitest';
import { SIZE } from './sized-cache.ts';
import { ensureSpace } from './storage-quota.ts';

/** Stored files, by their keys, with their sizes. */
function storedFiles(sizes: Readonly<Record<string, number>>) {
  const stored = new Map(Object.entries(sizes).map(([key, size]) => [`http://localhost/app/unsent/${key}`, size]));
  return {
    keys: async () => [...stored.keys()].map((url) => ({ url })),
    match: async ({ url }: { url: string }) => new Response(null, { headers: { [SIZE]: String(stored.get(url)) } }),
    delete: async ({ url }: { url: string }) => stored.delete(url),
  };
}

it('has room for 60 files', async () => {
  const keys = Array.from({ length: 60 }, (_, at) => `key-${at + 100}`);
  const full = storedFiles(Object.fromEntries(keys.map((key) => [key, 3])));
  expect(await ensureSpace(full, keys, 3)).toBe(false);
  expect(await ensureSpace(full, keys.slice(1), 3)).toBe(true);
});

it('has room for 250 MB', async () => {
  const stored = storedFiles({ large: 200 * 1024 * 1024 });
  expect(await ensureSpace(stored, ['large'], 60 * 1024 * 1024)).toBe(false);
  expect(await ensureSpace(stored, ['large'], 50 * 1024 * 1024)).toBe(true);
});

it('deletes files that nothing names any more', async () => {
  const stored = storedFiles({ 'left-by-a-crash': 3, attached: 3 });
  expect(await ensureSpace(stored, ['{"files":[{"key":"attached"}]}'], 3)).toBe(true);
  expect((await stored.keys()).map(({ url }) => url)).toEqual(['http://localhost/app/unsent/attached']);
});
