import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home-start.ts';

/** The reader's notifications. */
export const notificationsKey = ['notifications'] as const;

/** The number of new ones. */
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
