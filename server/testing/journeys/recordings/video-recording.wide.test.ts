/** The same video recording with a real LiveKit server, played in Firefox. */

import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { firefox_player, missing_video, testVideoRecording } from './video-recording.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(has_livekit ? missing_video : 'LIVEKIT_TEST_URL', 'a video recording, on a real LiveKit', () =>
  testVideoRecording(on_livekit, firefox_player),
);
