import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cell_accuracy_m, cellOf, distance_m, type Point } from './cell.ts';
import { slow } from '../../../testing/slow-tests.ts';

const point: fc.Arbitrary<Point> = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('location cells', () => {
  it('have a centre within cell_accuracy_m, which is the centre of its own cell', slow, () => {
    fc.assert(
      fc.property(point, (at) => {
        const centre = cellOf(at);
        expect(distance_m(at, centre)).toBeLessThanOrEqual(cell_accuracy_m);
        expect(cellOf(centre)).toEqual(centre);
      }),
      { numRuns: 20_000 },
    );
  });

  it('are about a kilometre wide at every latitude', () => {
    for (const latitude of [-89.9, -60, 0, 31.5, 52.5, 69.6, 78.2, 89.9]) {
      const centre = cellOf({ latitude, longitude: 15 });
      const widths = [0.2, 0.4, 0.6, 0.8, 1, 1.2].map((km) => {
        const degrees = km / (111.2 * Math.cos((centre.latitude * Math.PI) / 180));
        return cellOf({ latitude, longitude: centre.longitude + degrees }).longitude === centre.longitude;
      });
      // The edge is half a kilometre away.
      expect(widths.slice(0, 2)).toEqual([true, true]);
      expect(widths[3]).toBe(false);
    }
  });

  it('do not differ across the date line', () => {
    expect(cellOf({ latitude: 10, longitude: 180 })).toEqual(cellOf({ latitude: 10, longitude: -180 }));
  });

  it('reveal nothing about the position beyond the cell', () => {
    // A response depends only on the centre, so that all points of a cell yield the same responses.
    fc.assert(
      fc.property(
        point,
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (at, up, right) => {
          const centre = cellOf(at);
          const moved = { latitude: centre.latitude + up * 0.003, longitude: centre.longitude + right * 0.003 };
          if (Math.abs(moved.latitude) > 90 || cellOf(moved).longitude !== centre.longitude) return;
          expect(cellOf(moved)).toEqual(centre);
        },
      ),
    );
  });

  it('measure known distances correctly', () => {
    const berlin = { latitude: 52.520008, longitude: 13.404954 };
    const paris = { latitude: 48.856613, longitude: 2.352222 };
    expect(distance_m(berlin, paris) / 1000).toBeCloseTo(877.5, 0);
    expect(distance_m(berlin, berlin)).toBe(0);
  });
});
