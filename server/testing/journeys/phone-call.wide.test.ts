/** The same phones over a real LiveKit server. */
import { describe } from 'vitest';
import { has_livekit, on_livekit } from '../livekit-service.ts';
import { testPhoneCall } from './phone-call.ts';

describe.skipIf(!has_livekit)('phones in a call, on a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testPhoneCall(on_livekit);
});
