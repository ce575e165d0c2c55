import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home/home-start.ts';

/** The reader's notifications. */
export const notificationsKey = ['notifications'] as const;

/** How many of them are new. */
export const unreadQuery = queryOptions({
  queryKey: ['unread-count'],
  queryFn: ({ client, signal }) =>
    readFromHome(
      client,
      ({ unread }) => ({ count: unread.notifications }),
      () => sdk.notifications.countUnreadNotifications({ signal }),
    ),
  staleTime: 60_000,
});
