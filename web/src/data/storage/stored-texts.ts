/** Texts stored in this browser for the signed-in account: drafts and unsent messages, whose files are stored beside. */
import { isSignedIn } from '../../asterism.ts';

/** The prefix of their keys, before the identifier of the account. */
export const STORED_PREFIX = 'asterism.kept.';

/** The storage key of something of the current account. */
function keyOf(user_id: string, name: string): string {
  return `${STORED_PREFIX}${user_id}.${name}`;
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

/**
 * Stores a value, or deletes it when it is undefined. Without storage it is lost with the page. Nothing is stored of an
 * account that has signed out: its pages may still be shown for a moment, here or in another tab.
 */
export function writeStored(user_id: string, name: string, value: unknown): void {
  if (value !== undefined && user_id.startsWith('usr_') && !isSignedIn()) return;
  try {
    if (value === undefined) localStorage.removeItem(keyOf(user_id, name));
    else localStorage.setItem(keyOf(user_id, name), JSON.stringify(value));
  } catch {
    // A full or forbidden storage: the page itself still has it.
  }
}

/** All stored texts, of every account. */
export const listStoredTexts = (): string[] =>
  Object.keys(localStorage).flatMap((key) => (key.startsWith(STORED_PREFIX) ? (localStorage.getItem(key) ?? []) : []));

/** Subscribes to changes by other windows of the account. @returns a function that unsubscribes */
export function onStored(user_id: string, name: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === keyOf(user_id, name)) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
