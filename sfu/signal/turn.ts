/** STUN and TURN servers for clients, with short-lived credentials. */
import { createHmac } from 'node:crypto';

/** A STUN or TURN server in the form of browsers (W3C webrtc-pc, RTCIceServer). */
export type IceServerEntry = { urls: string[]; username?: string; credential?: string };

/** Longer than a call: a relay checks the credentials again at each refresh (RFC 8656, 7). */
const TTL_S = 12 * 3600;

/**
 * Creates the ICE server entries for a client, as in "A REST API For Access To TURN Services"
 * (draft-uberti-behave-turn-rest-00) and coturn's `static-auth-secret`: the username contains the expiry, and the
 * password is its HMAC.
 * @param urls such as `turn:turn.example.org:3478?transport=udp` and `stun:…`; may be empty
 * @param secret shared with the servers; undefined for STUN only
 */
export function createIceServers(
  urls: string[],
  secret: string | undefined,
): (identity: string, now_ms?: number) => IceServerEntry[] {
  const [plain, relays] = [urls.filter((url) => url.startsWith('stun')), urls.filter((url) => url.startsWith('turn'))];
  return (identity, now_ms = Date.now()) => {
    const entries: IceServerEntry[] = plain.length > 0 ? [{ urls: plain }] : [];
    if (relays.length === 0 || secret === undefined) return entries;
    const username = `${Math.floor(now_ms / 1000) + TTL_S}:${identity}`;
    const credential = createHmac('sha1', secret).update(username).digest('base64');
    return [...entries, { urls: relays, username, credential }];
  };
}
