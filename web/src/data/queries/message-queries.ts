import type { DirectMessage, RealtimeStream, Thread } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, cutLists, insertItem } from '../lists.ts';
import type { List } from '../lists.ts';
import { catchUp, updateCached, refetchAfterFlight } from '../cache.ts';
import type { IsKnown } from '../cache.ts';
import { settingsAfterMessage } from '../chat-settings.ts';
import { isInFlight } from '../in-flight.ts';
import { searchesKey } from './message-list-queries.ts';
import { meQuery } from './me-query.ts';

/** The lists of threads. */
export type Folder = 'main' | 'requests' | 'archived';

/** All lists of threads. */
export const threadsKey = ['threads'] as const;
export const folderKey = (folder: Folder) => [...threadsKey, folder] as const;
/** All threads that are cached one by one, and the messages of all threads. */
export const threadKey = ['thread'] as const;
export const allMessagesKey = ['thread-chat'] as const;
export const chatKey = (thread_id: string) => [...allMessagesKey, thread_id] as const;
/** The messages that match a query, in one chat or in all. */
export const messageSearchKey = (scope: object, q: string) =>
  [...searchesKey, Object.values(scope).join(''), q] as const;
/** Earlier versions of a message; each edit makes another list of them. */
export const messageEditsKey = ({ id, body }: { id: string; body: string }) => ['message-edits', id, body] as const;

/** The counts of unread threads and pending requests. */
export const dmCountQuery = queryOptions({
  queryKey: ['dm-count'],
  queryFn: ({ signal }) => sdk.dm.countUnreadDms({ signal }),
  staleTime: 60_000,
});

/** Whether a thread is an incoming message request. */
export const isRequest = ({ state, initiated_by_me }: Thread): boolean => state === 'pending' && !initiated_by_me;

/** A thread as the reader sees it. */
export function threadQuery(thread_id: string) {
  return queryOptions({
    queryKey: [...threadKey, thread_id],
    queryFn: ({ signal }) => sdk.dm.getThread({ path: { thread_id }, signal }),
  });
}

/** Refetches the counts after a change. */
export function refetchMessageCounts(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: dmCountQuery.queryKey });
}

/** `dropCleared`, whose code is loaded when it is needed: few readers clear a chat. */
export function dropClearedLazily(
  ...cleared: Parameters<(typeof import('./cleared-message-queries.ts'))['dropCleared']>
): void {
  // Where it cannot be loaded, the messages are gone when the chat is read again.
  import('./cleared-message-queries.ts').then(({ dropCleared }) => dropCleared(...cleared), () => undefined);
}

/** Caches a thread that the service has just returned. */
export function cacheThread(queries: QueryClient, thread: Thread): void {
  const { queryKey } = threadQuery(thread.id);
  const before = queries.getQueryData(queryKey);
  queries.setQueryData(queryKey, thread);
  // A pending request may have read the thread before this change.
  refetchAfterFlight(queries, queryKey);
  const { cleared_up_to } = thread;
  if (cleared_up_to !== null && cleared_up_to !== before?.cleared_up_to)
    dropClearedLazily(queries, thread.id, chatKey(thread.id), cleared_up_to);
  // If only marks have moved, it keeps its place, and nothing is fetched.
  changeListed(
    queries,
    thread.id,
    () => false,
    () => thread,
    (listed) => placeOf(listed) === placeOf(thread),
  );
  void refetchMessageCounts(queries);
}

/** What decides the lists that contain a thread, and its place there. */
const placeOf = ({ state, last_message, settings }: Thread) =>
  JSON.stringify([state, last_message?.id, settings.archived, settings.pinned]);

const threadIn = (data: List<Thread> | undefined, id: string) =>
  data?.pages.flatMap(({ items }) => items).find((one) => one.id === id);

/**
 * Changes a thread in every list, and moves it to the top when it has a new message. A list without the thread may be
 * one that it has moved to, and is invalidated; so are all lists when the thread's place has changed.
 */
function changeListed(
  queries: QueryClient,
  id: string,
  isNew: (thread: Thread) => boolean,
  change: (thread: Thread) => Thread,
  isInPlace: (before: Thread) => boolean = () => true,
): void {
  const has_moved = queries.getQueriesData<List<Thread>>({ queryKey: threadsKey }).some(([, data]) => {
    const listed = threadIn(data, id);
    return listed !== undefined && !isInPlace(listed);
  });
  updateCached<List<Thread>>(queries, threadsKey, (data) => {
    const found = threadIn(data, id);
    if (found === undefined) return data;
    const changed = change(found);
    const is_new = isNew(found);
    const pages = data.pages.map((page, index) => {
      if (!is_new) return { ...page, items: page.items.map((one) => (one.id === id ? changed : one)) };
      const others = page.items.filter((one) => one.id !== id);
      return { ...page, items: index === 0 ? [changed, ...others] : others };
    });
    return { ...data, pages };
  });
  void queries.invalidateQueries({
    queryKey: threadsKey,
    predicate: ({ queryKey, state }) => {
      const thread = threadIn(state.data as List<Thread> | undefined, id);
      return has_moved || thread === undefined || (queryKey[1] === 'archived' && !thread.settings.archived);
    },
  });
}

/** Caches a new, edited, deleted or reacted-to message wherever its thread is shown. */
export function cacheMessage(queries: QueryClient, message: DirectMessage, unread_count?: number): void {
  const { id, thread_id } = message;
  const change = (thread: Thread): Thread => ({
    ...thread,
    settings: (thread.last_message?.id ?? '') < id ? settingsAfterMessage(thread.settings) : thread.settings,
    last_message: (thread.last_message?.id ?? '') <= id ? message : thread.last_message,
    unread_count: unread_count ?? thread.unread_count,
  });
  updateCached(queries, threadQuery(thread_id).queryKey, change);
  insertItem(queries, chatKey(thread_id), message);
  changeItem<DirectMessage>(queries, chatKey(thread_id), id, () => message);
  changeListed(queries, thread_id, ({ last_message }) => (last_message?.id ?? '') < id, change);
  void refetchMessageCounts(queries);
}

/** Changes the newest message of a thread wherever the thread is shown, if it is this one. */
export function changeLastMessage(
  queries: QueryClient,
  thread_id: string,
  message_id: string,
  change: (message: DirectMessage) => DirectMessage,
): void {
  const changeThread = (thread: Thread): Thread =>
    thread.last_message?.id === message_id ? { ...thread, last_message: change(thread.last_message) } : thread;
  updateCached(queries, threadQuery(thread_id).queryKey, changeThread);
  changeItem<Thread>(queries, threadsKey, thread_id, changeThread);
}

/** Updates cached threads from the stream. */
export function subscribeToMessages(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('dm.message', ({ data }) => {
    const { message, unread_count } = data;
    const peer_id = queries.getQueryData(threadQuery(message.thread_id).queryKey)?.peer.id;
    if (
      message.deleted_at === null &&
      message.edited_at === null &&
      message.sender.id !== peer_id &&
      isInFlight(`thread ${message.thread_id}`, message.body)
    )
      return;
    cacheMessage(queries, message, unread_count);
  });
  stream.on('me.updated', ({ data }) => {
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    // What the peers have read is shown or hidden from now on.
    if (data.fields.includes('read_receipts')) catchUp(queries, [threadsKey, threadKey]);
  });
  stream.on('dm.thread', ({ data }) => cacheThread(queries, data.thread));
  stream.on('dm.gone', ({ data }) => {
    queries.removeQueries({ queryKey: chatKey(data.id), type: 'inactive' });
    void queries.invalidateQueries({ queryKey: threadQuery(data.id).queryKey });
    void queries.invalidateQueries({ queryKey: threadsKey });
    void refetchMessageCounts(queries);
  });
}

/** Refetches everything that the stream would have updated, after lost events. */
export function refetchMessages(queries: QueryClient, isKnown?: IsKnown): void {
  cutLists(queries, ['thread-chat']);
  catchUp(queries, [threadsKey, threadKey, allMessagesKey, dmCountQuery.queryKey], isKnown);
}
