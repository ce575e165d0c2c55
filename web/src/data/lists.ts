import { useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { updateCached } from './cache.ts';

/** The common member of list items. */
export interface Item {
  readonly id: string;
}

/** One page, as returned by the service. */
export interface ListPage<T> {
  readonly items: T[];
  readonly has_more: boolean;
  /** For a list opened in its middle: whether there is, or may be, something newer than this page. */
  readonly has_newer?: boolean;
}

/** A cached list: its pages, newest first, each requested with the last identifier of the one before. */
export type List<T> = InfiniteData<ListPage<T>, string | undefined>;

/** What a list is, and how it is loaded. */
export interface ListOptions<T> {
  queryKey: QueryKey;
  load: (query: { before_id?: string }, signal: AbortSignal) => Promise<ListPage<T>>;
  enabled?: boolean;
  /**
   * Not refetched automatically: only the stream or the reader change it, so that nothing moves while it is being read.
   */
  still?: boolean;
  /** The member that identifies an item's position; by default its identifier. */
  cursorOf?: (item: T) => string;
}

/** A list of more pages than this is not refetched, page by page, when its window regains focus or its page is opened again. */
const MAX_REFETCHED = 5;

const isShort = ({ state }: { state: { data: unknown } }): boolean =>
  ((state.data as List<unknown> | undefined)?.pages.length ?? 0) <= MAX_REFETCHED;

/**
 * Truncates every list under a key that starts with the newest to its first page, so that reopening it starts there.
 */
export function cutLists(queries: QueryClient, queryKey: QueryKey): void {
  updateCached<List<unknown>>(queries, queryKey, (data) =>
    data.pages.length < 2 || data.pageParams[0] !== undefined
      ? data
      : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  );
}

/** The query of a list. */
export const listQuery = <T extends Item>({ queryKey, load, cursorOf = ({ id }) => id }: ListOptions<T>) => ({
  queryKey,
  queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    load(pageParam === undefined ? {} : { before_id: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: ListPage<T>) => {
    const last = page.has_more ? page.items.at(-1) : undefined;
    return last && cursorOf(last);
  },
});

/** An infinite list in time order, with all loaded items in one array. */
export function useList<T extends Item>(options: ListOptions<T>) {
  const { enabled = true, still = false } = options;
  const list = useInfiniteQuery({
    ...listQuery(options),
    enabled,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    ...(still ? { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
  });
  return { ...list, items: list.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** Changes every cached list under a key, page by page. */
export function changeLists<T extends Item>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (items: readonly T[]) => readonly T[],
): void {
  updateCached<List<T>>(queries, queryKey, (data) => {
    const pages = data.pages.map((page) => {
      const items = change(page.items);
      const is_same = items.length === page.items.length && items.every((item, at) => item === page.items[at]);
      return is_same ? page : { ...page, items: [...items] };
    });
    return pages.every((page, at) => page === data.pages[at]) ? data : { ...data, pages };
  });
}

/** Changes one item in every list under a key. */
export function changeItem<T extends Item>(
  queries: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (item: T) => T,
): void {
  changeLists<T>(queries, queryKey, (items) => items.map((item) => (item.id === id ? change(item) : item)));
}

/** Removes an item from every list under a key. */
export function removeItem(queries: QueryClient, queryKey: QueryKey, id: string): void {
  changeLists(queries, queryKey, (items) => items.filter((item) => item.id !== id));
}

/**
 * Inserts an item by its identifier (newer ones sort after older ones, and lists start with the newest), unless it
 * exists. An item that is older than all loaded ones is not inserted, since its page will contain it; nor is a newer one in
 * a list that was opened in its middle.
 */
export function insertItem<T extends Item>(queries: QueryClient, queryKey: QueryKey, item: T): void {
  updateCached<List<T>>(queries, queryKey, (data) => {
    if (data.pages.some((page) => page.items.some(({ id }) => id === item.id))) return data;
    const [first] = data.pages;
    if (first?.has_newer === true && (first.items[0]?.id ?? '') < item.id) return data;
    const at = data.pages.findIndex((page, index) => {
      const is_end = index === data.pages.length - 1 && !page.has_more;
      return is_end || page.items.some(({ id }) => id < item.id);
    });
    const pages = data.pages.map((page, index) => {
      if (index !== at) return page;
      const place = page.items.findIndex(({ id }) => id < item.id);
      return { ...page, items: page.items.toSpliced(place === -1 ? page.items.length : place, 0, item) };
    });
    return at === -1 ? data : { ...data, pages };
  });
}
