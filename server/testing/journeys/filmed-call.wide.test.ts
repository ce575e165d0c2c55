/** The same film of a call over a real LiveKit server, played in Firefox. */
import { describe } from 'vitest';
import { has_livekit, on_livekit } from '../livekit-service.ts';
import { firefox_player, missing_films, testFilmedCall } from './filmed-call.ts';

describe.skipIf(!has_livekit || missing_films)(
  'a filmed call, on a real LiveKit (skipped without LIVEKIT_TEST_URL)',
  () => testFilmedCall(on_livekit, firefox_player),
);
