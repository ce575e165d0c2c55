/** Texts stored in this browser for the signed-in account: drafts and unsent messages, whose files are stored beside. */
import { sdk } from '../asterism.ts';
import { MAP_TILES, SHARED_CONTENT, UNSENT_FILES } from './cache-names.ts';

const PREFIX = 'asterism.kept.';

/** The storage key of something of the current account. */
function keyOf(user_id: string, name: string): string {
  return `${PREFIX}${user_id}.${name}`;
}

/** Reads a stored value; undefined when it is missing or unreadable. */
export function readStored(user_id: string, name: string): unknown {
  try {
    const text = localStorage.getItem(keyOf(user_id, name));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Stores a value, or deletes it when it is undefined. Without storage it is lost with the page. */
export function writeStored(user_id: string, name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(user_id, name));
    else localStorage.setItem(keyOf(user_id, name), JSON.stringify(value));
  } catch {
    // A full or forbidden storage: the page itself still has it.
  }
}

/** All stored texts, of every account. */
export const listStoredTexts = (): string[] =>
  Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? (localStorage.getItem(key) ?? []) : []));

/** Subscribes to changes by other windows of the account. @returns a function that unsubscribes */
export function onStored(user_id: string, name: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === keyOf(user_id, name)) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Deletes everything stored, at sign-out: another person may use the device next. */
export function clearStored(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  if (typeof caches === 'undefined') return;
  for (const name of [UNSENT_FILES, SHARED_CONTENT, MAP_TILES]) void caches.delete(name).catch(() => false);
}

/** Signs out, and deletes stored texts. */
export async function signOutHere(): Promise<void> {
  clearStored();
  await sdk.auth.logout();
}

/** Signs out all devices, and deletes the texts stored on this one. */
export async function signOutEverywhere(): Promise<void> {
  await sdk.auth.revokeAllSessions();
  clearStored();
}
