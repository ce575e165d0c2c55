/** Connects to the media room of a call, with retries for transient failures. */
import { ConnectionError, ConnectionErrorReason } from 'livekit-client';
import type { Room } from 'livekit-client';

/** The delays before retries: long enough for a busy machine or a media server that is starting. */
const PAUSES_MS = [300, 1_000, 2_500];

/** Whether a retry may help: not when the service has refused, nor when the call was left meanwhile. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  return error.reason !== ConnectionErrorReason.NotAllowed && error.reason !== ConnectionErrorReason.Cancelled;
}

interface Grant {
  readonly url: string;
  readonly token: string;
  readonly ice_servers: readonly object[];
}

/**
 * Connects a room, with a new grant for each attempt.
 * @param isOver whether nobody waits for the room any more
 * @throws the refusal of the grant, or the error of the last attempt
 */
export async function connectRoom(room: Room, askGrant: () => Promise<Grant>, isOver: () => boolean): Promise<void> {
  for (const pause_ms of [...PAUSES_MS, undefined]) {
    const { url, token, ice_servers } = await askGrant();
    if (isOver()) return;
    try {
      await room.connect(url, token, { rtcConfig: { iceServers: ice_servers as RTCIceServer[] } });
      return;
    } catch (error) {
      if (isOver()) return;
      if (pause_ms === undefined || !isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause_ms));
    }
  }
}
