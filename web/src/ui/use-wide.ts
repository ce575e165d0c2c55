import { useSyncExternalStore } from 'react';

const query = matchMedia('(min-width: 900px)');

/** Whether the window is wide enough for a list and what is open of it beside each other. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
