import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** The content size of an element in CSS pixels, updated as it changes; undefined before layout. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } | undefined {
  const [size, setSize] = useState<{ width: number; height: number }>();
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
