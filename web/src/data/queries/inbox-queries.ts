import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home-start.ts';

/** Missed calls, voicemail and videomail. */
export const inboxKey = ['inbox'] as const;

/** The number of new ones. */
export const inboxCountQuery = queryOptions({
  queryKey: ['inbox-count'],
  queryFn: ({ client, signal }) =>
    readFromHome(
      client,
      ({ unread }) => ({ count: unread.inbox }),
      () => sdk.inbox.countUnreadMessages({ signal }),
    ),
  staleTime: 60_000,
});
