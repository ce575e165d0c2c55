/** The same call with a real LiveKit server. */

import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { testApiCall } from './api-call.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(has_livekit ? undefined : 'LIVEKIT_TEST_URL', 'a call by the API, on a real LiveKit', () => {
  testApiCall({ embedded: false, ...on_livekit });
});
