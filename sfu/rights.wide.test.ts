import { testRights } from './testing/contracts/rights.contract.ts';
import { findLiveKit } from './testing/livekit.ts';
import { describeUnlessMissing } from '../testing/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'rights in a room of a real LiveKit server', () => {
  testRights(async () => {
    if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
    return { ...livekit, close: () => Promise.resolve() };
  });
});
