/** What a browser forgets when an account leaves it, and how its session ends at the service. */
import type { TokenPair } from '@asterism/sdk';
import { isSignedIn, sdk } from '../../asterism.ts';
import { dropDevice } from '../push/device-push.ts';
import { MAP_TILES, SHARED_CONTENT, UNSENT_FILES } from '../../data/storage/cache-names.ts';
import { STORED_PREFIX } from '../../data/storage/stored-texts.ts';

/** The account whose texts and files this browser has. */
const OWNER = 'asterism.owner';
/** The session that was left while the service could not be reached. */
const LEFT = 'asterism.left';

/** Deletes what is stored, except for the texts of one account. */
async function clearExcept(user_id: string | undefined): Promise<void> {
  const own = user_id === undefined ? undefined : `${STORED_PREFIX}${user_id}.`;
  for (const key of Object.keys(localStorage))
    if (key.startsWith(STORED_PREFIX) && (own === undefined || !key.startsWith(own))) localStorage.removeItem(key);
  localStorage.removeItem(OWNER);
  if (typeof caches === 'undefined') return;
  const names = [UNSENT_FILES, SHARED_CONTENT, MAP_TILES];
  await Promise.all(names.map((name) => caches.delete(name).catch(() => false)));
}

/** Deletes everything stored, at sign-out: another person may use the device next. */
export const clearStored = (): Promise<void> => clearExcept(undefined);

/** Deletes what an account left here whose session ended without signing out, once somebody else has signed in. */
export async function forgetOthers(user_id: string): Promise<void> {
  const owner = localStorage.getItem(OWNER);
  if (owner === user_id) return;
  if (owner !== null) await clearExcept(user_id);
  localStorage.setItem(OWNER, user_id);
}

/** Sends a request without the client's session, which is another one by now, or none. */
const post = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`/v1${path}`, { method: 'POST', headers, redirect: 'error', keepalive: true });

/**
 * Ends a session that is no longer the one of this browser.
 * @throws TypeError when the service cannot be reached
 */
async function endSession({ token, session_id }: Pick<TokenPair, 'token' | 'session_id'>): Promise<void> {
  // The cookie is that of the session which is signed in now, if any, and remains.
  const cookie: Record<string, string> = isSignedIn() ? {} : { 'asterism-session': 'cookie' };
  const { status } = await post('/auth/logout', { ...cookie, authorization: `Bearer ${token}` });
  if (status >= 500 || status === 429) throw new TypeError(`The service answered with ${status}.`);
  if (status !== 401 || isSignedIn()) return;
  // The token has expired, but not the cookie.
  const fresh = await post('/auth/refresh', { ...cookie, 'content-type': 'application/json' });
  const pair = (fresh.ok ? await fresh.json() : {}) as Partial<TokenPair>;
  if (pair.token === undefined || pair.session_id !== session_id) return;
  await post('/auth/logout', { ...cookie, authorization: `Bearer ${pair.token}` });
}

/**
 * Ends what this browser has of a session that another one has replaced: it would still get the pushes of an account that
 * has not signed out, and nobody can use its session any more.
 */
export async function endReplacedSession(replaced: TokenPair): Promise<void> {
  endSession(replaced).catch(() => undefined);
  await dropDevice().catch(() => undefined);
}

/** Ends the session that was left while the service could not be reached. */
async function endLeftSession(): Promise<void> {
  const left = localStorage.getItem(LEFT);
  if (left === null) return;
  await endSession(JSON.parse(left) as TokenPair);
  localStorage.removeItem(LEFT);
}

/** Tries now, and whenever the network is back. */
function endLeftSessionSoon(): void {
  const attempt = () => void endLeftSession().catch(() => undefined);
  addEventListener('online', attempt);
  attempt();
}

/** What a page does once it is shown. @param user_id the account that is signed in */
export function settleDevice(user_id: string | undefined): void {
  endLeftSessionSoon();
  if (user_id !== undefined) void forgetOthers(user_id).catch(() => undefined);
}

/** Signs out, also when the service cannot be reached: it is told as soon as it can be. */
export async function signOutHere(): Promise<void> {
  const left = sdk.session.get();
  await clearStored();
  try {
    await sdk.auth.logout();
  } catch {
    if (left !== undefined) localStorage.setItem(LEFT, JSON.stringify(left));
    sdk.session.clear();
    endLeftSessionSoon();
  }
  // What was stored while the service was asked, such as a message that it was sending again.
  await clearStored();
}

/** Signs out all devices, and deletes the texts stored on this one. */
export async function signOutEverywhere(): Promise<void> {
  await sdk.auth.revokeAllSessions();
  await clearStored();
}
