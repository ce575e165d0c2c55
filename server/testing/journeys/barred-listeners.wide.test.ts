/** The same over a real LiveKit server. */
import { describe } from 'vitest';
import { has_livekit, on_livekit } from '../livekit-service.ts';
import { testBarredListeners } from './barred-listeners.ts';

describe.skipIf(!has_livekit)('whoever is out of a call, on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () =>
  testBarredListeners(on_livekit),
);
