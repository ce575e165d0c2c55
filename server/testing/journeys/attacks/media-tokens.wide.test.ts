/** The same with a real LiveKit server. */
import { findLiveKit } from '../../../../sfu/testing/livekit.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { has_livekit, on_livekit } from '../../running/livekit-service.ts';
import { testMediaTokens } from './media-tokens.ts';

describeUnlessMissing(has_livekit ? undefined : 'LIVEKIT_TEST_URL', 'media tokens, on a real LiveKit', () =>
  testMediaTokens(on_livekit, findLiveKit()?.url),
);
