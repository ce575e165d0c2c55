import { findLiveKit } from '../../testing/livekit.ts';
import { testPhoneParticipant } from '../../testing/phone-participant.contract.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'a phone in a room of a real LiveKit', () => {
  testPhoneParticipant(async () => ({
    ...(livekit ?? { url: '', api_key: '', api_secret: '' }),
    close: () => Promise.resolve(),
  }));
});
