import { describe } from 'vitest';
import { testRecording } from '../testing/recording.contract.ts';
import { findLiveKit } from '../testing/livekit.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('recording on a real LiveKit', { timeout: 60_000 }, () => {
  testRecording(async () => {
    if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
    return { ...livekit, close: () => Promise.resolve() };
  });
});
