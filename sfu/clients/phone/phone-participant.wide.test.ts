import { findLiveKit } from '../../testing/livekit.ts';
import { testPhoneParticipant } from '../../testing/contracts/phone-participant.contract.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'a phone participant on a real LiveKit server', () => {
  testPhoneParticipant(async () => ({
    ...(livekit ?? { url: '', api_key: '', api_secret: '' }),
    close: () => Promise.resolve(),
  }));
});
