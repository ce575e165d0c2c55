/** The same mix of a call with a real LiveKit server. */
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { testMixedRecording } from './mixed-recording.ts';

describeUnlessMissing(
  has_livekit ? undefined : 'LIVEKIT_TEST_URL',
  'a recording without ffmpeg, on a real LiveKit',
  () => testMixedRecording(on_livekit),
);
