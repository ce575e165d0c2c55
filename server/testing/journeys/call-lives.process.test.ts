import { it } from 'vitest';
import { liveLives } from '../call-lives.ts';

it('a call keeps every invariant over 10,000 random lives', () => liveLives(10_000));
