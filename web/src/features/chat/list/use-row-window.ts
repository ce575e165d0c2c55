import { useVirtualizer } from '@tanstack/react-virtual';
import type { Range, Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ListedRow } from './listed-rows.ts';
import { estimateHeight } from './listed-rows.ts';

/** A reader this close to the end follows new messages. */
const NEAR_PX = 80;
/** The number of rows rendered beyond each edge of the window. */
const AHEAD = 8;
/** The number of rows left above the window at which older ones are loaded. */
const ASK_BEFORE = 12;
/** The height of the loading indicator above the first row. */
const OLDER_PX = 64;
/** Below every end: the initial scroll position of a list that opens at its newest message. */
const END_PX = 1e7;

interface Growing {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

export interface WindowOptions {
  /** Oldest first. */
  readonly rows: readonly ListedRow[];
  readonly older: Growing;
  /** Whether there is more after the newest loaded row. */
  readonly is_cut: boolean;
  /** Whether the newest row is the reader's own. */
  readonly is_own: boolean;
  /** The message at which the list opens; undefined for its end. */
  readonly at: string | undefined;
  /** The oldest unread message, which is then at the top, unless everything after it fits. */
  readonly unread_id: string | undefined;
}

/** Loads older messages, one request at a time. */
function useLoadOlder({ fetchNextPage }: Growing): () => Promise<unknown> {
  const is_fetching = useRef(false);
  return useCallback(async () => {
    if (is_fetching.current) return;
    is_fetching.current = true;
    try {
      await fetchNextPage();
    } finally {
      is_fetching.current = false;
    }
  }, [fetchNextPage]);
}

/** The rendered rows, plus the focused one, wherever it was scrolled to. */
function useRenderedRows(rows: readonly ListedRow[]) {
  const focused = useRef<string>(undefined);
  const known = useRef(rows);
  known.current = rows;
  const rangeExtractor = useCallback(({ startIndex, endIndex, count }: Range) => {
    const first = Math.max(0, startIndex - AHEAD);
    const last = Math.min(count - 1, endIndex + AHEAD);
    const drawn = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const held = focused.current === undefined ? -1 : known.current.findIndex(({ key }) => key === focused.current);
    if (held === -1 || (held >= first && held <= last)) return drawn;
    return held < first ? [held, ...drawn] : [...drawn, held];
  }, []);
  return { focused, rangeExtractor };
}

/** Keeps the end visible while the window changes its height, such as when a keyboard opens. */
function useEndInSight(scroller: { current: HTMLDivElement | null }, goToEnd: () => void, is_cut: boolean) {
  const is_following = useRef(true);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const onScroll = () => {
      is_following.current = !is_cut && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
    };
    const observer = new ResizeObserver(() => {
      if (is_following.current) goToEnd();
    });
    onScroll();
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [scroller, goToEnd, is_cut]);
  return is_following;
}

/** How long a scroll to a message is corrected when rows above it load, in milliseconds. */
const SETTLE_MS = 1_500;
/** Events by which the reader scrolls. */
const READER_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

type ScrollToMessage = (key: string, align: 'start' | 'center') => boolean;

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
function useScrollToMessage(
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

/**
 * Scrolls to the oldest unread message once it is known, which may be after the cached messages are shown; by then the
 * reader may read older ones.
 */
function useUnreadInSight(
  scrollTo: ScrollToMessage,
  unread_id: string | undefined,
  is_following: { current: boolean },
): void {
  useLayoutEffect(() => {
    if (unread_id === undefined || !is_following.current || !scrollTo(unread_id, 'start')) return;
    // Again when the rows have been measured: until then their heights are estimates.
    const frame = requestAnimationFrame(() => scrollTo(unread_id, 'start'));
    return () => cancelAnimationFrame(frame);
  }, [unread_id]);
}

/** The initial position: the end, or the given message in the middle. */
function firstOffset(rows: readonly ListedRow[], at: string | undefined): number {
  if (at === undefined) return END_PX;
  const index = rows.findIndex(({ key }) => key === at);
  const above = rows.slice(0, Math.max(0, index)).reduce((sum, row) => sum + estimateHeight(row), 0);
  return Math.max(0, above - innerHeight / 3);
}

/**
 * Virtualises the rows of a chat, and keeps the scroll position stable. A reader at the end stays at the end, also
 * while pictures load; a reader of older messages stays where they are, also while older ones load, and is notified of
 * new ones.
 */
export function useRowWindow({ rows, older, is_cut, is_own, at, unread_id }: WindowOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const { focused, rangeExtractor } = useRenderedRows(rows);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateHeight(rows[index]),
    rangeExtractor,
    initialOffset: () => firstOffset(rows, at),
    initialRect: { width: 0, height: innerHeight },
    scrollMargin: older.hasNextPage ? OLDER_PX : 0,
    anchorTo: 'end',
    followOnAppend: !is_cut,
    scrollEndThreshold: NEAR_PX,
    directDomUpdates: true,
  });
  const [new_count, setNew] = useState(0);
  const [highlight, setHighlight] = useState<{ key: string; count: number }>();
  const { scrollTo, forget } = useScrollToMessage(virtualizer, rows, scroller);
  const goToEnd = useCallback(() => {
    setNew(0);
    forget();
    virtualizer.scrollToEnd();
  }, [virtualizer, forget]);
  /** Scrolls a message into the middle, and highlights it for a moment. @returns whether it is in the list */
  const show = useCallback(
    (key: string): boolean => {
      if (!scrollTo(key, 'center')) return false;
      setHighlight((before) => ({ key, count: (before?.count ?? 0) + 1 }));
      return true;
    },
    [scrollTo],
  );
  const is_following = useEndInSight(scroller, goToEnd, is_cut);
  useLayoutEffect(() => {
    if (at === undefined) virtualizer.scrollToEnd();
    else show(at);
    // Only once: the list has been opened.
  }, []);
  useUnreadInSight(scrollTo, unread_id, is_following);
  const last = rows.at(-1)?.key;
  const known = useRef({ last, is_cut });
  useLayoutEffect(() => {
    const before = known.current;
    known.current = { last, is_cut };
    if (last === before.last || before.is_cut) return;
    if (is_own) goToEnd();
    else if (!is_following.current) {
      const known_at = rows.findIndex(({ key }) => key === before.last);
      setNew((count) => count + (known_at === -1 ? 1 : rows.length - 1 - known_at));
    }
  }, [last, is_cut, is_own, goToEnd, is_following]);
  const drawn = virtualizer.getVirtualItems();
  const fetchOlder = useLoadOlder(older);
  const is_near = (virtualizer.range?.startIndex ?? 0) < ASK_BEFORE && virtualizer.scrollDirection === 'backward';
  const asks = is_near && older.hasNextPage && !older.isFetchingNextPage && !older.isFetchNextPageError;
  useEffect(() => {
    if (asks) void fetchOlder();
  }, [asks, fetchOlder]);
  const is_at_end = virtualizer.isAtEnd(NEAR_PX);
  useEffect(() => {
    if (is_at_end) setNew(0);
  }, [is_at_end]);
  /** More than half a screen of messages is below the window. */
  const is_away = !virtualizer.isAtEnd((virtualizer.scrollRect?.height ?? innerHeight) / 2);
  return { scroller, virtualizer, drawn, focused, new_count, is_away, goToEnd, show, highlight, fetchOlder };
}
