import { findLiveKit } from '../../testing/livekit.ts';
import { testVoice } from '../../testing/voice.contract.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'a phone in a room of a real LiveKit', () => {
  testVoice(async () => ({
    ...(livekit ?? { url: '', api_key: '', api_secret: '' }),
    close: () => Promise.resolve(),
  }));
});
