import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** How long the people of chats are not read again, in milliseconds. */
const FRESH_MS = 60_000;

/** The people with whom the reader has written last, for pages that have not read the list of chats. */
export const chatPeersQuery = queryOptions({
  queryKey: ['chat-peers'],
  queryFn: ({ signal }) => sdk.dm.listThreads({ query: { folder: 'main', limit: 50 }, signal }),
  staleTime: FRESH_MS,
});
