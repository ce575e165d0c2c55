/** The seed of a random test: fixed unless `SEED` names another, so that a failure can be reproduced. */
import { randomInt } from 'node:crypto';

/** The seed of every random test that has no seed of its own. */
export const usual_seed = 20_261_122;

/**
 * @param usual the seed that is used without `SEED`; `SEED=random` draws one
 * @returns the seed, a whole number below 2^31, and its label for a test's title
 */
export function seedOf(usual: number): { seed: number; label: string } {
  const given = process.env['SEED'];
  const seed = given === undefined ? usual : given === 'random' ? randomInt(2 ** 31) : Number(given);
  if (!Number.isInteger(seed) || seed < 0)
    throw new Error(`SEED must be a whole number or "random", but is "${given}"`);
  return { seed, label: `SEED=${seed}` };
}

/** A generator of numbers from 0 (inclusive) to 1, determined by the seed (mulberry32, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
