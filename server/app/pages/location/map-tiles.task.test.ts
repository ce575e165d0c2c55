import { describe, expect, it } from 'vitest';
import { run, unwrap, unwrapRing } from './map-tiles.task.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('map tiles', () => {
  it('continue beyond the date line instead of jumping across the map', () => {
    const line = [
      [170, 60],
      [179, 61],
      [-178, 62],
      [-170, 63],
      [175, 64],
    ];
    expect(unwrap(line).map(([longitude]) => longitude)).toEqual([170, 179, 182, 190, 175]);
    const island = [...line, [170, 60]];
    expect(unwrapRing(island)).toEqual(unwrap(island));
  });

  it('close an area around a pole along the edge of the map', () => {
    const antarctica = [
      [-170, -70],
      [-60, -65],
      [60, -66],
      [170, -71],
      [-170, -70],
    ];
    expect(unwrapRing(antarctica).slice(-3)).toEqual([
      [190, -90],
      [-170, -90],
      [-170, -70],
    ]);
  });

  it('contain more land for a tile of Germany than for a tile of the Pacific', slow, () => {
    const [germany, pacific] = [run({ z: 5, x: 17, y: 10 }), run({ z: 5, x: 2, y: 17 })];
    expect(germany.length).toBeGreaterThan(pacific.length);
    expect(run({ z: 0, x: 0, y: 0 }).length).toBeGreaterThan(5000);
  });
});
