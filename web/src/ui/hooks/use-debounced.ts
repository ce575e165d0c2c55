import { useEffect, useState } from 'react';

/** A value once it has stopped changing for a while. */
export function useDebounced<T>(value: T, pause_ms: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), pause_ms);
    return () => clearTimeout(timer);
  }, [value, pause_ms]);
  return debounced;
}
