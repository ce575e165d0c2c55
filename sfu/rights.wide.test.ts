import { describe } from 'vitest';
import { testRights } from './testing/rights.contract.ts';
import { findLiveKit } from './testing/livekit.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('rights in a room on a real LiveKit', { timeout: 30_000 }, () => {
  testRights(async () => {
    if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
    return { ...livekit, close: () => Promise.resolve() };
  });
});
