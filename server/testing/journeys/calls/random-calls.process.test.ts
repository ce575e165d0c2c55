import { it } from 'vitest';
import { testRandomCalls } from '../../samples/random-calls.ts';

it('a call keeps every invariant over 10,000 random sequences', () => testRandomCalls(10_000));
