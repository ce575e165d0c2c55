/** Loaded before the tests: properties of fast-check use the run's seed, and print it when they fail. */
import fc from 'fast-check';
import { seedOf, usual_seed } from './seed.ts';

fc.configureGlobal({ seed: seedOf(usual_seed).seed });
