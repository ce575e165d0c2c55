import { useEffect, useRef } from 'react';
import { findUnread, findUnreadAfter } from './listed-rows.ts';
import type { ShownMessage } from '../chat-message.ts';
import type { LoadableList } from './use-row-window.ts';

interface UnreadOptions {
  readonly list: LoadableList & { readonly isFetching: boolean };
  /** Newest first. */
  readonly messages: readonly ShownMessage[];
  /** How many messages the reader has not read, and whether that was fetched since the chat was opened. */
  readonly unread_count: number | undefined;
  readonly is_counted: boolean | undefined;
  /** Whether the chat was opened at one of its messages. */
  readonly is_entered: boolean;
  /** The message after which the chat was opened. */
  readonly after: string | undefined;
}

/** The maximum of unread messages that are loaded from the end of a chat; a chat with more is opened at the oldest of them. */
export const MAX_UNREAD = 100;

/**
 * The oldest message that was unread when the chat was opened, since messages are marked as read as soon as they are
 * shown. A cached count of 0 may be stale and is only used after a fetch. Older messages are loaded as needed.
 * @returns it, and whether it is still being looked for
 */
export function useOldestUnread({ list, messages, unread_count = 0, is_counted, is_entered, after }: UnreadOptions): {
  unread_id: string | undefined;
  is_searching: boolean;
} {
  const opened = useRef<{ count: number; newest: string | undefined }>(undefined);
  const found = useRef<string>(undefined);
  const is_known = unread_count > 0 || (is_counted === true && !list.isFetching);
  if (opened.current === undefined && is_known && messages.length > 0 && !is_entered)
    opened.current = { count: unread_count, newest: messages[0]?.id };
  const { count, newest } = opened.current ?? { count: 0, newest: undefined };
  if (found.current === undefined && count > 0) {
    // Messages that arrived since were not counted.
    const from = messages.findIndex(({ id }) => id === newest);
    found.current = findUnread(messages.slice(Math.max(0, from)), count);
  }
  if (found.current === undefined && after !== undefined) found.current = findUnreadAfter(messages, after);
  const is_missing = count > 0 && found.current === undefined && messages.length < 2 * MAX_UNREAD;
  const is_searching = is_missing && list.hasNextPage && !list.isFetchNextPageError;
  const should_fetch = is_searching && !list.isFetchingNextPage;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (should_fetch) void fetchNextPage();
  }, [should_fetch, fetchNextPage]);
  return { unread_id: found.current, is_searching };
}
