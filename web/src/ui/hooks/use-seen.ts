import { useEffect, useRef } from 'react';

/** How long an element must be visible to count as seen. */
const SEEN_AFTER_MS = 1_200;

/** Calls back when an element has been visible for a moment, in a visible page. @returns the ref of the element */
export function useSeen(is_wanted: boolean, onSeen: () => void) {
  const place = useRef<HTMLLIElement>(null);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    if (!is_wanted || place.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting !== true) return;
        timer = setTimeout(() => {
          if (document.visibilityState === 'visible') latest.current();
        }, SEEN_AFTER_MS);
      },
      { threshold: 0.6 },
    );
    observer.observe(place.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [is_wanted]);
  return place;
}
