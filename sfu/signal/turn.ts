/** STUN and TURN servers that clients are told of, with credentials that end by themselves. */
import { createHmac } from 'node:crypto';

export type IceServerEntry = { urls: string[]; username?: string; credential?: string };

/** Longer than a call: a relay asks for the credentials again at each refresh (RFC 8656, 7). */
const TTL_S = 12 * 3600;

/**
 * Makes the entries of clients, as "A REST API For Access To TURN Services" (draft-uberti-behave-turn-rest-00) has them
 * and coturn's `static-auth-secret` takes them: the name bears the time of its end, and the password is its HMAC.
 * @param urls such as `turn:turn.example.org:3478?transport=udp` and `stun:…`; without any there is nothing to tell
 * @param secret that the servers share; undefined for STUN alone
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
