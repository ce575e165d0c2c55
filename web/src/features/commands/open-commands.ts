import { useSyncExternalStore } from 'react';

let is_open = false;
const listeners = new Set<() => void>();

/** Opens or closes the command bar. */
export function openCommands(open: boolean): void {
  is_open = open;
  for (const listener of listeners) listener();
}

/** Whether the command bar is open. */
export function useCommandsOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => is_open,
  );
}
