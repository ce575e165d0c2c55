import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { ListedRow } from './listed-rows.ts';

/** How long a scroll to a message is corrected when rows above it load, in milliseconds. */
const SETTLE_MS = 1_500;

/** Events by which the reader scrolls. */
const READER_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls to a message. @returns whether it is in the list */
export type ScrollToMessage = (key: string, align: 'start' | 'center') => boolean;

interface MessageScroll {
  /** @returns whether the message is in the list */
  readonly scrollTo: ScrollToMessage;
  /** Cancels the scroll. */
  readonly forget: () => void;
}

/**
 * Scrolls to a message by its key. When older rows arrive before the scroll has ended, the index of the message changes,
 * and the scroll is repeated, unless the reader has scrolled meanwhile.
 */
export function useScrollToMessage(
  virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>,
  rows: readonly ListedRow[],
  scroller: { current: HTMLDivElement | null },
): MessageScroll {
  const target = useRef<{ key: string; align: 'start' | 'center'; index: number; started_ms: number }>(undefined);
  const known = useRef(rows);
  known.current = rows;
  const scrollTo = useCallback<ScrollToMessage>(
    (key, align) => {
      const index = known.current.findIndex((row) => row.key === key);
      target.current = index === -1 ? undefined : { key, align, index, started_ms: performance.now() };
      if (index !== -1) virtualizer.scrollToIndex(index, { align });
      return index !== -1;
    },
    [virtualizer],
  );
  useLayoutEffect(() => {
    const wanted = target.current;
    if (wanted === undefined || performance.now() - wanted.started_ms > SETTLE_MS) return;
    const index = rows.findIndex((row) => row.key === wanted.key);
    if (index === -1 || index === wanted.index) return;
    wanted.index = index;
    virtualizer.scrollToIndex(index, { align: wanted.align });
  }, [rows, virtualizer]);
  const forget = useCallback(() => {
    target.current = undefined;
  }, []);
  useEffect(() => {
    const box = scroller.current;
    for (const name of READER_EVENTS) box?.addEventListener(name, forget, { passive: true });
    return () => {
      for (const name of READER_EVENTS) box?.removeEventListener(name, forget);
    };
  }, [scroller, forget]);
  return { scrollTo, forget };
}
