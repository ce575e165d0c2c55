/** People who may no longer listen to a call, with the embedded media server. */
import { describe } from 'vitest';
import { testBarredListeners } from './barred-listeners.ts';

describe('people who were removed from a call, on the embedded media server', () => testBarredListeners({}));
