import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cutLists, useList } from '../../data/lists.ts';
import type { Item, ListPage } from '../../data/lists.ts';
import type { ChatStart } from './chat-place.ts';
import { aroundKey } from './chat-queries.ts';
import type { Entered } from './list/message-list.tsx';
import { isRemembered, useHistoryKey } from './list/remembered-places.ts';

/** The cursor of a page of messages. */
type From = { before_id?: string; after_id?: string; around_id?: string };

interface MessagesOptions<T> {
  queryKey: QueryKey;
  load: (query: From, signal: AbortSignal) => Promise<ListPage<T>>;
  /** The message at which the chat is opened; without it, at the newest. */
  at: string | undefined;
  /** Whether the chat already exists for the reader. */
  enabled?: boolean;
}

/** The messages around one of them, newest first, with pages loaded at both ends. */
function useAround<T extends Item>({ queryKey, load, at, enabled = true }: MessagesOptions<T>) {
  const list = useInfiniteQuery({
    queryKey: aroundKey(queryKey, at),
    queryFn: async ({ pageParam, signal }): Promise<ListPage<T>> => {
      const page = await load(pageParam, signal);
      if (pageParam.around_id !== undefined) return { ...page, has_newer: page.items.length > 0 };
      // For pages in the newer direction, `has_more` is about newer messages; older ones are already loaded.
      return pageParam.after_id === undefined ? page : { ...page, has_newer: page.has_more, has_more: true };
    },
    initialPageParam: { around_id: at ?? '' } as From,
    getNextPageParam: ({ items, has_more }): From | undefined => {
      const last = items.at(-1);
      if (!has_more) return undefined;
      return last === undefined ? { around_id: at ?? '' } : { before_id: last.id };
    },
    getPreviousPageParam: ({ items, has_newer }): From | undefined =>
      has_newer === true && items[0] !== undefined ? { after_id: items[0].id } : undefined,
    enabled: enabled && at !== undefined,
    meta: { is_persisted: false },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return { ...list, items: list.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** The messages of a chat: from the newest, or around one of them until both ends are reached. */
export function useMessages<T extends Item>(options: MessagesOptions<T>) {
  const { queryKey, load, at, enabled = true } = options;
  const queries = useQueryClient();
  const name = JSON.stringify(queryKey);
  const entry = useHistoryKey();
  const cut = () => {
    // Whoever goes back to a chat finds all the pages that they had loaded.
    if (!isRemembered(entry)) cutLists(queries, JSON.parse(name) as QueryKey);
  };
  // They may be left from another visit.
  useState(cut);
  // The place is remembered by the list, which is removed later.
  useEffect(() => () => queueMicrotask(cut), [queries, name]);
  const latest = useList<T>({ queryKey, load, enabled: enabled && at === undefined });
  const around = useAround(options);
  return at === undefined ? { ...latest, newer: undefined } : { ...around, newer: newerOf(around) };
}

/** The newer end of a list, as an end that grows. Only one end is fetched at a time. */
function newerOf(
  list: Pick<
    ReturnType<typeof useAround>,
    'hasPreviousPage' | 'isFetching' | 'isFetchPreviousPageError' | 'error' | 'fetchPreviousPage'
  >,
) {
  return {
    hasNextPage: list.hasPreviousPage,
    isFetchingNextPage: list.isFetching,
    isFetchNextPageError: list.isFetchPreviousPageError,
    error: list.error,
    fetchNextPage: list.fetchPreviousPage,
  };
}

interface EnteredOptions extends ChatStart {
  has_unsent: boolean;
  goToLatest: () => unknown;
}

/** For the message list: where it was opened, and how to get to the newest, which sending a message does as well. */
export function useEntered({ at, after, has_unsent, goToLatest }: EnteredOptions): Entered | undefined {
  const opened = at ?? after;
  const goes = opened !== undefined && has_unsent;
  useEffect(() => {
    if (goes) goToLatest();
  }, [goes, goToLatest]);
  return opened === undefined
    ? undefined
    : { at: opened, is_after: at === undefined, onLatest: () => void goToLatest() };
}

/** How many messages are unread for the list: none when the reader has gone to the newest from the middle, to stay there. */
export function useUnreadOf(entered: Entered | undefined, unread_count: number | undefined): number | undefined {
  const [has_entered, setEntered] = useState(false);
  if (entered !== undefined && !has_entered) setEntered(true);
  return entered === undefined && has_entered ? 0 : unread_count;
}
