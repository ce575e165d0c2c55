import { testJoin } from '../testing/contracts/join.contract.ts';
import { findLiveKit } from '../testing/livekit.ts';
import { describeUnlessMissing } from '../../testing/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(
  livekit ? undefined : 'LIVEKIT_TEST_URL',
  'clients of the native SDK on a real LiveKit server',
  () => {
    testJoin(async () => {
      if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
      return { ...livekit, close: () => Promise.resolve() };
    });
  },
);
