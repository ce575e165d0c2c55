import type { QueryClient } from '@tanstack/react-query';
import { prefetchList } from '../../../data/lists.ts';
import { groupQuery } from '../../../data/queries/group-queries.ts';
import { threadMessages, threadQuery } from '../../../data/queries/message-queries.ts';
import { readEarly } from '../../../early-answers.ts';
import { groupChatsQuery, groupMessages } from '../../chat/chat-queries.ts';
import { pinnedQuery } from '../pins/pins-query.ts';
import { threadList } from './use-chats.ts';

const readList = (queries: QueryClient) =>
  readEarly({
    '/v1/dm/threads?folder=main': () => prefetchList(queries, threadList('main')),
    '/v1/home/group-chat?limit=100': () => queries.prefetchQuery(groupChatsQuery),
  });

const readThread = (queries: QueryClient, thread_id: string) =>
  readEarly({
    [`/v1/dm/threads/${thread_id}`]: () => queries.prefetchQuery(threadQuery(thread_id)),
    [`/v1/dm/threads/${thread_id}/chat`]: () => prefetchList(queries, threadMessages(thread_id)),
    [`/v1/messages/pinned?thread_id=${thread_id}&limit=50`]: () => queries.prefetchQuery(pinnedQuery({ thread_id })),
  });

const readGroup = (queries: QueryClient, group_id: string) =>
  readEarly({
    [`/v1/groups/${group_id}`]: () => queries.prefetchQuery(groupQuery(group_id)),
    [`/v1/groups/${group_id}/chat`]: () => prefetchList(queries, groupMessages(group_id)),
    [`/v1/messages/pinned?group_id=${group_id}&limit=50`]: () => queries.prefetchQuery(pinnedQuery({ group_id })),
  });

/** Reads what has already come of the list of chats, and of the chat at an address: that of a thread or a group. */
export async function readEarlyChats(queries: QueryClient, pathname: string): Promise<void> {
  const [, thread_id, group_id] = /^\/messages\/(?:(thr_\w+)|group\/(\w+))$/.exec(pathname) ?? [];
  await Promise.all([
    readList(queries),
    thread_id === undefined ? undefined : readThread(queries, thread_id),
    group_id === undefined ? undefined : readGroup(queries, group_id),
  ]);
}
