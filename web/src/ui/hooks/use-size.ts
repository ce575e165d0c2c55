import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { observeSize } from './observe-size.ts';
import type { Size } from './observe-size.ts';

/** The content size of an element, updated as it changes; undefined before layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => (element.current === null ? undefined : observeSize(element.current, setSize)), [element]);
  return size;
}
