import type { DirectMessage, RealtimeStream, Thread } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, cutLists, insertItem } from '../../lists.ts';
import type { List } from '../../lists.ts';
import { catchUp, updateCached, fetchAgain } from '../../queries.ts';
import { writtenIn } from '../chat/chat-settings.ts';
import { isInFlight } from '../chat/in-flight.ts';

export type Folder = 'main' | 'requests' | 'archived';

/** All lists of threads. */
export const threadsKey = ['threads'] as const;
export const folderKey = (folder: Folder) => [...threadsKey, folder] as const;
export const chatKey = (thread_id: string) => ['thread-chat', thread_id] as const;

export const dmCountQuery = queryOptions({
  queryKey: ['dm-count'],
  queryFn: ({ signal }) => sdk.dm.countUnreadDms({ signal }),
  staleTime: 60_000,
});

/** Whether a stranger asks in it to be written with. */
export const isRequest = ({ state, initiated_by_me }: Thread): boolean => state === 'pending' && !initiated_by_me;

/** A thread as the reader sees it. */
export function threadQuery(thread_id: string) {
  return queryOptions({
    queryKey: ['thread', thread_id],
    queryFn: ({ signal }) => sdk.dm.getThread({ path: { thread_id }, signal }),
  });
}

export function recount(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: dmCountQuery.queryKey });
}

/** Keeps a thread as the service has just told it. */
export function cacheThread(queries: QueryClient, thread: Thread): void {
  const { queryKey } = threadQuery(thread.id);
  queries.setQueryData(queryKey, thread);
  // An answer that is on its way may have been read before this.
  fetchAgain(queries, queryKey);
  // Where only marks have moved it stays where it is, and nothing is fetched.
  changeListed(
    queries,
    thread.id,
    () => false,
    () => thread,
    (listed) => placeOf(listed) === placeOf(thread),
  );
  void recount(queries);
}

/** What decides in which lists a thread stands, and where. */
const placeOf = ({ state, last_message, settings }: Thread) =>
  JSON.stringify([state, last_message?.id, settings.archived, settings.pinned]);

const threadIn = (data: List<Thread> | undefined, id: string) =>
  data?.pages.flatMap(({ items }) => items).find((one) => one.id === id);

/**
 * Changes a thread in every list, and puts it first when something new was written in it. A list in which it does not
 * stand may be one to which it has moved, and is out of date; so are all when it is not in its place any more.
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

/** Keeps a message that is new, or was edited, reacted to or deleted, wherever its thread is shown. */
export function cacheMessage(queries: QueryClient, message: DirectMessage, unread_count?: number): void {
  const { id, thread_id } = message;
  const change = (thread: Thread): Thread => ({
    ...thread,
    settings: (thread.last_message?.id ?? '') < id ? writtenIn(thread.settings) : thread.settings,
    last_message: (thread.last_message?.id ?? '') <= id ? message : thread.last_message,
    unread_count: unread_count ?? thread.unread_count,
  });
  updateCached(queries, threadQuery(thread_id).queryKey, change);
  insertItem(queries, chatKey(thread_id), message);
  changeItem<DirectMessage>(queries, chatKey(thread_id), id, () => message);
  changeListed(queries, thread_id, ({ last_message }) => (last_message?.id ?? '') < id, change);
  void recount(queries);
}

/** Keeps what pages show of threads as fresh as the stream. */
export function followMessages(stream: RealtimeStream, queries: QueryClient): void {
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
  stream.on('dm.thread', ({ data }) => cacheThread(queries, data.thread));
  stream.on('dm.gone', ({ data }) => {
    void queries.invalidateQueries({ queryKey: threadQuery(data.id).queryKey });
    void queries.invalidateQueries({ queryKey: threadsKey });
    void recount(queries);
  });
}

/** Fetches again whatever the stream would have told, because it could not. */
export function refetchMessages(queries: QueryClient): void {
  cutLists(queries, ['thread-chat']);
  catchUp(queries, [['threads'], ['thread'], ['thread-chat'], ['dm-count']]);
}
