import { useVirtualizer } from '@tanstack/react-virtual';
import type { Range, Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dayAbove } from './day-above.tsx';
import type { ListedRow } from './listed-rows.ts';
import { estimateHeight } from './listed-rows.ts';
import { rememberPlace, useHasLeft, useHistoryKey } from './remembered-places.ts';
import type { RememberedPlace } from './remembered-places.ts';
import { useScrollToMessage } from './use-scroll-to-message.ts';
import type { ScrollToMessage } from './use-scroll-to-message.ts';

/** A reader this close to the end follows new messages. */
const NEAR_PX = 80;

/** The number of rows rendered beyond each edge of the window. */
const OVERSCAN_ROWS = 8;

/** The number of rows left above the window at which older ones are loaded. */
const LOAD_BEFORE_ROWS = 12;

/** The height of the loading indicator above the first row. */
const OLDER_PX = 64;

/** Below every end: the initial scroll position of a list that opens at its newest message. */
const END_PX = 1e7;

/** A list of pages whose next page is loaded on demand. */
export interface LoadableList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** The rows of a chat, and where it opens. */
export interface WindowOptions {
  /** Oldest first. */
  readonly rows: readonly ListedRow[];
  readonly older: LoadableList;
  /** Whether there is more after the newest loaded row. */
  readonly is_cut: boolean;
  /** Whether the newest row is the reader's own. */
  readonly is_own: boolean;
  /** The name of the list, for the place in it that is remembered. */
  readonly label: string;
  /** The place in which the reader left the list, where they come back to it. */
  readonly place: RememberedPlace | undefined;
  /** The message at which the list opens; undefined for its end. */
  readonly at: string | undefined;
  /** The oldest unread message, which is then at the top, unless everything after it fits. */
  readonly unread_id: string | undefined;
}

/** Loads older messages, one request at a time. */
function useLoadOlder({ fetchNextPage }: LoadableList): () => Promise<unknown> {
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
    const first = Math.max(0, startIndex - OVERSCAN_ROWS);
    const last = Math.min(count - 1, endIndex + OVERSCAN_ROWS);
    const virtual_rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const focused_at =
      focused.current === undefined ? -1 : known.current.findIndex(({ key }) => key === focused.current);
    if (focused_at === -1 || (focused_at >= first && focused_at <= last)) return virtual_rows;
    return focused_at < first ? [focused_at, ...virtual_rows] : [...virtual_rows, focused_at];
  }, []);
  return { focused, rangeExtractor };
}

type Virtual = Virtualizer<HTMLDivElement, HTMLLIElement>;

/** Scrolls to a remembered place. @returns whether it is in the list */
function goToPlace(virtualizer: Virtual, rows: readonly ListedRow[], place: RememberedPlace | undefined): boolean {
  const index = place === undefined ? -1 : rows.findIndex(({ key }) => key === place.key);
  const start = index === -1 ? undefined : virtualizer.getOffsetForIndex(index, 'start')?.[0];
  if (place === undefined || start === undefined) return false;
  virtualizer.scrollToOffset(start + place.into_px);
  return true;
}

interface LeaveOptions {
  readonly scroller: { current: HTMLDivElement | null };
  readonly virtualizer: Virtual;
  readonly is_following: { current: boolean };
  readonly label: string;
}

/** Remembers the place of a reader who leaves the chat, unless that is its end. */
function useRememberOnLeave({ scroller, virtualizer, is_following, label }: LeaveOptions): void {
  const entry = useHistoryKey();
  const hasLeft = useHasLeft(entry);
  useLayoutEffect(
    () => () => {
      const top_px = scroller.current?.scrollTop;
      const first = top_px === undefined ? undefined : virtualizer.getVirtualItemForOffset(top_px);
      if (is_following.current || !hasLeft() || top_px === undefined || first === undefined)
        return rememberPlace(entry, undefined);
      const heights = new Map(virtualizer.measurementsCache.map(({ key, size }) => [key, size]));
      rememberPlace(entry, { label, key: String(first.key), into_px: top_px - first.start, heights });
    },
    [],
  );
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

/** Scrolls to a message on request, and highlights it for a moment. */
function useShow(scrollTo: ScrollToMessage) {
  const [highlight, setHighlight] = useState<{ key: string; count: number }>();
  /** Scrolls a message into the middle. @returns whether it is in the list */
  const show = useCallback(
    (key: string): boolean => {
      if (!scrollTo(key, 'center')) return false;
      setHighlight((before) => ({ key, count: (before?.count ?? 0) + 1 }));
      return true;
    },
    [scrollTo],
  );
  return { show, highlight };
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
export function useRowWindow({ rows, older, is_cut, is_own, at, unread_id, label, place }: WindowOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const { focused, rangeExtractor } = useRenderedRows(rows);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => place?.heights.get(rows[index]?.key) ?? estimateHeight(rows[index]),
    rangeExtractor,
    initialOffset: () => firstOffset(rows, at === undefined ? undefined : (unread_id ?? at)),
    initialRect: { width: 0, height: innerHeight },
    scrollMargin: older.hasNextPage ? OLDER_PX : 0,
    anchorTo: 'end',
    followOnAppend: !is_cut,
    scrollEndThreshold: NEAR_PX,
    directDomUpdates: true,
  });
  const [new_count, setNew] = useState(0);
  const { scrollTo, forget } = useScrollToMessage(virtualizer, rows, scroller);
  const goToEnd = useCallback(() => {
    setNew(0);
    forget();
    virtualizer.scrollToEnd();
  }, [virtualizer, forget]);
  const { show, highlight } = useShow(scrollTo);
  const is_following = useEndInSight(scroller, goToEnd, is_cut);
  useLayoutEffect(() => {
    // Where all rows fit, no event says so, and the virtualizer would try in each frame for 5 s to reach the end.
    virtualizer.scrollOffset = scroller.current?.scrollTop ?? null;
    if (goToPlace(virtualizer, rows, place)) return;
    if (at === undefined) virtualizer.scrollToEnd();
    else if (unread_id === undefined) show(at);
    // Only once: the list has been opened.
  }, []);
  useRememberOnLeave({ scroller, virtualizer, is_following, label });
  useUnreadInSight(scrollTo, place === undefined ? unread_id : undefined, is_following);
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
  const virtual_rows = virtualizer.getVirtualItems();
  const loadOlder = useLoadOlder(older);
  const is_near = (virtualizer.range?.startIndex ?? 0) < LOAD_BEFORE_ROWS && virtualizer.scrollDirection === 'backward';
  const should_load = is_near && older.hasNextPage && !older.isFetchingNextPage && !older.isFetchNextPageError;
  useEffect(() => {
    if (should_load) void loadOlder();
  }, [should_load, loadOlder]);
  const is_at_end = virtualizer.isAtEnd(NEAR_PX);
  useEffect(() => {
    if (is_at_end) setNew(0);
  }, [is_at_end]);
  /** More than half a screen of messages is below the window. */
  const is_away = !virtualizer.isAtEnd((virtualizer.scrollRect?.height ?? innerHeight) / 2);
  const day = virtualizer.isScrolling && is_away ? dayAbove(rows, virtualizer.range?.startIndex) : undefined;
  return { scroller, virtualizer, virtual_rows, focused, new_count, is_away, day, goToEnd, show, highlight, loadOlder };
}
