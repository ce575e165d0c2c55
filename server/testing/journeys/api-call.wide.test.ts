/** The same call over a real LiveKit server. */
import { describe } from 'vitest';
import { findLiveKit } from '../../../sfu/testing/livekit.ts';
import { testApiCall } from './api-call.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('a call by the API, on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testApiCall({
    embedded: false,
    configure: () => ({
      LIVEKIT_URL: livekit?.url ?? '',
      LIVEKIT_API_KEY: livekit?.api_key ?? '',
      LIVEKIT_API_SECRET: livekit?.api_secret ?? '',
    }),
  });
});
