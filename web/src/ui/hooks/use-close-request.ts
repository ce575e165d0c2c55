import { useEffect, useRef } from 'react';

/** The part of the browser's close watchers that is used here (HTML, "Close requests and close watchers"). */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}

/**
 * Closes a layer when the system asks for it: with the back button or gesture of a phone, which would leave the page
 * otherwise, and with Escape. Browsers without close watchers only have Escape.
 * @param is_open whether the layer is shown
 */
export function useCloseRequest(is_open: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!is_open) return;
    const { CloseWatcher: Watcher } = globalThis as { CloseWatcher?: new () => CloseWatcher };
    if (Watcher !== undefined) {
      const watcher = new Watcher();
      watcher.addEventListener('close', () => close.current());
      return () => watcher.destroy();
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [is_open]);
}
