/** Whether this device is the one that tells where its owner is: another that is signed in stands elsewhere. */
const KEY = 'asterism.reports-location';
const listeners = new Set<() => void>();

/** Makes this device the one that tells, or no longer. */
export function setReporting(is_reporting: boolean): void {
  if (is_reporting) localStorage.setItem(KEY, 'yes');
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const isReporting = (): boolean => localStorage.getItem(KEY) === 'yes';

/** Tells when that changes. @returns a function that stops telling */
export function onReporting(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
