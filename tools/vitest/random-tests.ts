/** Loaded before the tests: properties of fast-check take the run's seed, and print it where they fail. */
import fc from 'fast-check';
import { seedOf, usual_seed } from '../seed.ts';

fc.configureGlobal({ seed: seedOf(usual_seed).seed });
