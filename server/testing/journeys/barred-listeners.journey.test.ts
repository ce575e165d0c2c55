/** The same people on the media server inside the service. */
import { describe } from 'vitest';
import { testBarredListeners } from './barred-listeners.ts';

describe('whoever is out of a call, on the embedded media server', () => testBarredListeners({}));
