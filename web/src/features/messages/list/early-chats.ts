import type { QueryClient } from '@tanstack/react-query';
import { listQuery } from '../../../data/lists.ts';
import { groupQuery } from '../../../data/queries/group-queries.ts';
import { threadQuery } from '../../../data/queries/message-queries.ts';
import { readEarly } from '../../../early-answers.ts';
import { groupChatsQuery } from '../../chat/chat-queries.ts';
import { pinnedQuery } from '../pins/pins-query.ts';
import { groupMessages, threadMessages } from './chat-messages.ts';
import { threadList } from './use-chats.ts';

const readList = (queries: QueryClient) =>
  readEarly({
    '/v1/dm/threads?folder=main': () => queries.prefetchInfiniteQuery(listQuery(threadList('main'))),
    '/v1/home/group-chat?limit=100': () => queries.prefetchQuery(groupChatsQuery),
  });

const readThread = (queries: QueryClient, thread_id: string) =>
  readEarly({
    [`/v1/dm/threads/${thread_id}`]: () => queries.prefetchQuery(threadQuery(thread_id)),
    [`/v1/dm/threads/${thread_id}/chat`]: () => queries.prefetchInfiniteQuery(listQuery(threadMessages(thread_id))),
    [`/v1/messages/pinned?thread_id=${thread_id}&limit=50`]: () => queries.prefetchQuery(pinnedQuery({ thread_id })),
  });

const readGroup = (queries: QueryClient, group_id: string) =>
  readEarly({
    [`/v1/groups/${group_id}`]: () => queries.prefetchQuery(groupQuery(group_id)),
    [`/v1/groups/${group_id}/chat`]: () => queries.prefetchInfiniteQuery(listQuery(groupMessages(group_id))),
    [`/v1/messages/pinned?group_id=${group_id}&limit=50`]: () => queries.prefetchQuery(pinnedQuery({ group_id })),
  });

/** Reads what has already come of the list of chats, and of the thread or group at the address of the page. */
export async function readEarlyChats(queries: QueryClient): Promise<void> {
  const [, thread_id, group_id] = /\/messages\/(?:(thr_\w+)|group\/(\w+))$/.exec(location.pathname) ?? [];
  await Promise.all([
    readList(queries),
    thread_id === undefined ? undefined : readThread(queries, thread_id),
    group_id === undefined ? undefined : readGroup(queries, group_id),
  ]);
}
