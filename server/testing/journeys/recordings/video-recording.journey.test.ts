/** A video recording of a call on the embedded media server, played in Chromium. */

import { chromium_player, missing_video, testVideoRecording } from './video-recording.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_video, 'a video recording', () => {
  testVideoRecording({}, chromium_player);
});
