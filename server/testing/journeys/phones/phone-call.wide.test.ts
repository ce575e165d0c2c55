/** The same phones with a real LiveKit server. */

import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { testPhoneCall } from './phone-call.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(has_livekit ? undefined : 'LIVEKIT_TEST_URL', 'phones in a call, on a real LiveKit', () => {
  testPhoneCall(on_livekit);
});
