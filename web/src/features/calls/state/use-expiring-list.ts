import { useCallback, useEffect, useRef, useState } from 'react';

/** An entry with a key. */
export type Expiring<T> = T & { readonly key: number };

/**
 * A list of entries that are shown temporarily.
 * @param shown_ms how long each entry is shown
 * @returns the current entries, newest last, and a function that adds one
 */
export function useExpiringList<T extends object>(shown_ms: number): [readonly Expiring<T>[], (entry: T) => void] {
  const [entries, setEntries] = useState<readonly Expiring<T>[]>([]);
  const count = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);
  const add = useCallback(
    (entry: T) => {
      const key = ++count.current;
      setEntries((before) => [...before, { ...entry, key }]);
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        setEntries((before) => before.filter((one) => one.key !== key));
      }, shown_ms);
      timers.current.add(timer);
    },
    [shown_ms],
  );
  return [entries, add];
}
