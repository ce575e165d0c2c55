import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { default_limits } from '../../../kernel/load/limits.ts';
import { cacheTiles } from './map.ts';

describe('the tile cache of the map', () => {
  const tiles = cacheTiles(default_limits);
  const cut = (x: number, y: number) => tiles.cut({ z: 6, x, y }, '192.0.2.1');
  let process_ids: number[];
  beforeAll(async () => {
    await cut(34, 21);
    process_ids = tiles.pids();
  });
  afterAll(() => tiles.close());

  it('cuts all tiles of a large window in the process that has prepared the countries', async () => {
    expect(process_ids).toHaveLength(1);
    const window = Array.from({ length: 48 }, (_, at) => cut(30 + (at % 8), 18 + Math.floor(at / 8)));
    for (const bytes of await Promise.all(window)) expect(bytes).toBeInstanceOf(Buffer);
    expect(tiles.pids()).toEqual(process_ids);
  });

  it('cuts each tile once, however many ask for it', () => {
    expect(cut(35, 21)).toBe(cut(35, 21));
  });
});
