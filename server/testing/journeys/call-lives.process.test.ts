import { it } from 'vitest';
import { testCallLives } from '../call-lives.ts';

it('a call keeps every invariant over 10,000 random lives', () => testCallLives(10_000));
