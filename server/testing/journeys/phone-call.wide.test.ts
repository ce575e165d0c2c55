/** The same phones over a real LiveKit server. */
import { describe } from 'vitest';
import { findLiveKit } from '../../../sfu/testing/livekit.ts';
import { testPhoneCall } from './phone-call.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('phones in a call, on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testPhoneCall({
    configure: () => ({
      LIVEKIT_URL: livekit?.url ?? '',
      LIVEKIT_API_KEY: livekit?.api_key ?? '',
      LIVEKIT_API_SECRET: livekit?.api_secret ?? '',
    }),
  });
});
