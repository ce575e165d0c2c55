import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomFrom, seedOf } from './seed.ts';

describe('seeds of random tests', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are the default, the one in SEED, or a random one with SEED=random', () => {
    vi.stubEnv('SEED', undefined);
    expect(seedOf(7)).toEqual({ seed: 7, label: 'SEED=7' });
    vi.stubEnv('SEED', '42');
    expect(seedOf(7)).toEqual({ seed: 42, label: 'SEED=42' });
    vi.stubEnv('SEED', 'random');
    const drawn = new Set(Array.from({ length: 20 }, () => seedOf(7).seed));
    expect(drawn.size).toBeGreaterThan(10);
    vi.stubEnv('SEED', 'x');
    expect(() => seedOf(7)).toThrow('SEED must be');
  });

  it('replay the same numbers', () => {
    const numbers = (seed: number) => Array.from({ length: 5 }, randomFrom(seed));
    expect(numbers(3)).toEqual(numbers(3));
    expect(numbers(3)).not.toEqual(numbers(4));
    expect(numbers(3).every((number) => number >= 0 && number < 1)).toBe(true);
  });
});
