import { useEffect, useState } from 'react';

/** A value as it was when it last stayed the same for a while. */
export function useDebounced<T>(value: T, pause_ms: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), pause_ms);
    return () => clearTimeout(timer);
  }, [value, pause_ms]);
  return later;
}
