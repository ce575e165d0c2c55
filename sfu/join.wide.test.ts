import { describe } from 'vitest';
import { testJoin } from './testing/join.contract.ts';
import { findLiveKit } from './testing/livekit.ts';

const livekit = findLiveKit();

describe.skipIf(!livekit)('two clients of the native SDK on a real LiveKit', { timeout: 30_000 }, () => {
  testJoin(async () => {
    if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
    return { ...livekit, close: () => Promise.resolve() };
  });
});
