import { useEffect } from 'react';

/** Keeps the screen on during a call (Screen Wake Lock API); the browser releases the lock of a hidden page. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let is_over = false;
    const take = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (is_over) await lock.release();
      } catch {
        // Refused when the battery is low: the screen then turns off as usual.
      }
    };
    void take();
    document.addEventListener('visibilitychange', take);
    return () => {
      is_over = true;
      document.removeEventListener('visibilitychange', take);
      void lock?.release();
    };
  }, []);
}
