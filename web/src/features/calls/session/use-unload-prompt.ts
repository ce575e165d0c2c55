import { useEffect } from 'react';

/** Asks before the window is closed or reloaded during a call. */
export function useUnloadPrompt(in_call: boolean): void {
  useEffect(() => {
    if (!in_call) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [in_call]);
}
