import { testVideo } from '../../testing/contracts/video.contract.ts';
import { testRecording } from '../../testing/contracts/recording.contract.ts';
import { findLiveKit } from '../../testing/livekit.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const livekit = findLiveKit();

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'recording with a real LiveKit server', () => {
  const start = () => {
    if (!livekit) throw new Error('LIVEKIT_TEST_URL is not set');
    return Promise.resolve({ ...livekit, close: () => Promise.resolve() });
  };
  testRecording(start);
  testVideo(start);
});
