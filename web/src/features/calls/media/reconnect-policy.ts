import type { ReconnectPolicy } from 'livekit-client';

/** How long a lost call is tried again: a tunnel or a router that restarts must not end it. */
const GIVE_UP_MS = 10 * 60_000;
/** The pauses before the first attempts, and before each later one. */
const PAUSES_MS = [0, 300, 1_200, 2_700];
const LATER_MS = 4_000;

/**
 * When the media client connects again; by default it gives up after a minute, although the page says that the call comes
 * back with the network. Pauses vary by a quarter, so that not all clients of a media server come back at once.
 */
export const RECONNECT_POLICY: ReconnectPolicy = {
  nextRetryDelayInMs: ({ elapsedMs, retryCount }) =>
    elapsedMs > GIVE_UP_MS ? null : (PAUSES_MS[retryCount] ?? LATER_MS) * (0.75 + Math.random() / 2),
};
