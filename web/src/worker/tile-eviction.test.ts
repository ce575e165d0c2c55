/** Which tiles of the map are kept for use without a network. */
import { expect, it } from 'vitest';
import { SIZE } from '../data/storage/sized-cache.ts';
import { trimTiles } from './tile-eviction.ts';

it('keeps 20 MB: the whole world, and of the other tiles those that were stored last', async () => {
  const names = [
    'style.json',
    'tiles/0/0/0.mvt',
    'tiles/2/1/1.mvt',
    'tiles/3/1/1.mvt',
    'tiles/6/5/5.mvt',
    'tiles/7/9/9.mvt',
  ];
  const stored = new Set(names.map((name) => `http://localhost/map/${name}`));
  const cache = {
    keys: async () => [...stored].map((url) => ({ url })),
    match: async () => new Response(null, { headers: { [SIZE]: String(4 * 1024 * 1024) } }),
    delete: async ({ url }: { url: string }) => stored.delete(url),
  };
  await trimTiles(cache);
  const kept = names.filter((name) => name !== 'tiles/3/1/1.mvt').map((name) => `http://localhost/map/${name}`);
  expect([...stored]).toEqual(kept);
  await trimTiles(cache);
  expect([...stored]).toEqual(kept);
});
