/** The text of a distance and its direction. */
import { expect, it } from 'vitest';
import { describeRelativePosition, directionTo } from './distance-text.ts';

const berlin = { latitude: 52.52, longitude: 13.405 };

it('directionTo names the direction to a point, one of eight', () => {
  const directions = [
    [1, 0, 'north'],
    [1, 1.6, 'northeast'],
    [0, 1, 'east'],
    [-1, 1.6, 'southeast'],
    [-1, 0, 'south'],
    [-1, -1.6, 'southwest'],
    [0, -1, 'west'],
    [1, -1.6, 'northwest'],
  ] as const;
  for (const [north, east, direction] of directions)
    expect(directionTo(berlin, { latitude: berlin.latitude + north, longitude: berlin.longitude + east })).toBe(
      direction,
    );
  // Across the date line, and not around the world.
  expect(directionTo({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })).toBe('east');
});

it('describeRelativePosition shows distance and direction, and omits the direction where it would be inaccurate', () => {
  type Person = Parameters<typeof describeRelativePosition>[0];
  const at = (precision: 'exact' | 'approximate', north: number) =>
    ({ ...berlin, latitude: berlin.latitude + north, precision }) as Person;
  expect(describeRelativePosition(at('exact', 0.027), berlin)).toBe('3 km north of you');
  expect(describeRelativePosition(at('exact', -0.001), berlin)).toBe('100 m away');
  expect(describeRelativePosition(at('approximate', 0.018), berlin)).toBe('About 2 km away');
  expect(describeRelativePosition(at('approximate', -0.18), berlin)).toBe('About 20 km south of you');
});
