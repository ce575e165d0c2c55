/** The same call over a real LiveKit server. */
import { describe } from 'vitest';
import { has_livekit, on_livekit } from '../livekit-service.ts';
import { testApiCall } from './api-call.ts';

describe.skipIf(!has_livekit)('a call by the API, on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testApiCall({ embedded: false, ...on_livekit });
});
