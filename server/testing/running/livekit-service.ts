/** The service with the real LiveKit server of the wide tests. */
import { findLiveKit } from '../../../sfu/testing/livekit.ts';
import type { ServiceOptions } from './running-service.ts';

const livekit = findLiveKit();

export const has_livekit = livekit !== undefined;

/** The configuration of the service for that server. */
export const on_livekit: ServiceOptions = {
  configure: () => ({
    LIVEKIT_URL: livekit?.url ?? '',
    LIVEKIT_API_KEY: livekit?.api_key ?? '',
    LIVEKIT_API_SECRET: livekit?.api_secret ?? '',
  }),
};
