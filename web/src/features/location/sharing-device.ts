/** Whether this device reports its owner's position; their other devices may be elsewhere. */
const KEY = 'asterism.reports-location';
const listeners = new Set<() => void>();

/** Makes this device report the position, or stops that. */
export function setReporting(is_reporting: boolean): void {
  if (is_reporting) localStorage.setItem(KEY, 'yes');
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const isReporting = (): boolean => localStorage.getItem(KEY) === 'yes';

/** Subscribes to changes. @returns a function that unsubscribes */
export function onReporting(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
