import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 900px)');

/** Whether the window has room for two panes. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
