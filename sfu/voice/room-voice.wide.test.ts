import { describe } from 'vitest';
import { findLiveKit } from '../testing/livekit.ts';
import { testVoice } from '../testing/voice.contract.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('a phone in a room of a real LiveKit (skipped without LIVEKIT_TEST_URL)', () => {
  testVoice(async () => ({
    ...(livekit ?? { url: '', api_key: '', api_secret: '' }),
    close: () => Promise.resolve(),
  }));
});
