/**
 * Whether this device reports its owner's position; their other devices may be elsewhere. It is stored for one account:
 * the next person who signs in here has not shared their position from this device.
 */
const KEY = 'asterism.reports-location';
const listeners = new Set<() => void>();

/** Makes this device report the position of an account, or of nobody. */
export function setReporting(user_id: string | undefined): void {
  if (user_id === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, user_id);
  for (const listener of listeners) listener();
}

/** Whether this device reports the position of an account. */
export const isReporting = (user_id: string | undefined): boolean =>
  user_id !== undefined && localStorage.getItem(KEY) === user_id;

/** Subscribes to changes. @returns a function that unsubscribes */
export function onReporting(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
