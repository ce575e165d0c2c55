import type { QueryClient } from '@tanstack/react-query';
import { prefetchList } from '../../../data/lists.ts';
import { threadMessages, threadQuery } from '../../../data/queries/message-queries.ts';
import { readEarly } from '../../../early-answers.ts';
import { groupChatsQuery } from '../../chat/chat-queries.ts';
import { threadList } from './use-chats.ts';
import { pinnedQuery } from '../pins/pins-query.ts';

/** Reads what has already come of the list of chats, and of a thread that is opened. */
export async function readEarlyChats(queries: QueryClient, thread_id: string | undefined): Promise<void> {
  const list = readEarly({
    '/v1/dm/threads?folder=main': () => prefetchList(queries, threadList('main')),
    '/v1/home/group-chat?limit=100': () => queries.prefetchQuery(groupChatsQuery),
  });
  if (thread_id === undefined) return list;
  const thread = readEarly({
    [`/v1/dm/threads/${thread_id}`]: () => queries.prefetchQuery(threadQuery(thread_id)),
    [`/v1/dm/threads/${thread_id}/chat`]: () => prefetchList(queries, threadMessages(thread_id)),
    [`/v1/messages/pinned?thread_id=${thread_id}&limit=50`]: () => queries.prefetchQuery(pinnedQuery({ thread_id })),
  });
  await Promise.all([list, thread]);
}
