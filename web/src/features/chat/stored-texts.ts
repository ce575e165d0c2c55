/** What is kept in this browser for the account that is signed in: drafts, and messages that the service has not taken yet. */
import { sdk } from '../../asterism.ts';

const PREFIX = 'asterism.kept.';

/** The key of the browser's storage under which something of the present account is kept. */
function keyOf(user_id: string, name: string): string {
  return `${PREFIX}${user_id}.${name}`;
}

/** Reads what is kept; undefined where nothing readable is. */
export function readKept(user_id: string, name: string): unknown {
  try {
    const text = localStorage.getItem(keyOf(user_id, name));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps a value, or forgets it when it is undefined. A browser that keeps nothing loses it with the page. */
export function keep(user_id: string, name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(user_id, name));
    else localStorage.setItem(keyOf(user_id, name), JSON.stringify(value));
  } catch {
    // A full or forbidden storage: the page itself still has it.
  }
}

/** Tells when another window of the account has changed what is kept. @returns a function that stops telling */
export function onKept(user_id: string, name: string, listener: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === keyOf(user_id, name)) listener();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

/** Forgets everything kept, for somebody who signs out: the device may be another's next. */
function clearStored(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

/** Signs out here, and leaves no words behind. */
export async function signOutHere(): Promise<void> {
  clearStored();
  await sdk.auth.logout();
}
