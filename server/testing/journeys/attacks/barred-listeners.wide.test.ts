/** The same with a real LiveKit server. */
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { testBarredListeners } from './barred-listeners.ts';

describeUnlessMissing(
  has_livekit ? undefined : 'LIVEKIT_TEST_URL',
  'people who were removed from a call, on a real LiveKit',
  () => testBarredListeners(on_livekit),
);
