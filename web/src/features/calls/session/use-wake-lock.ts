import { useEffect } from 'react';

/** Keeps the screen on while a call goes on (Screen Wake Lock API); the browser drops the lock of a hidden page. */
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
        // Refused where the battery is low: the screen then goes dark as it does elsewhere.
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
