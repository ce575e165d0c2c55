import type { Notification, Reply } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, changeLists, insertItem, removeItem } from '../../data/lists.ts';
import { updateCached } from '../../data/cache.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { notificationsKey, unreadQuery } from '../../data/queries/notification-queries.ts';

type Count = Reply<'notifications', 'countUnreadNotifications'>;

function stepCount(queries: QueryClient, step: number): void {
  updateCached<Count>(queries, unreadQuery.queryKey, ({ count }) => ({ count: Math.max(0, count + step) }));
}

function refetchMessageCounts(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: unreadQuery.queryKey });
}

/** Caches a notification from the stream. A grouped one keeps its place. */
export function cacheNotification(queries: QueryClient, notification: Notification): void {
  insertItem(queries, notificationsKey, notification);
  changeItem<Notification>(queries, notificationsKey, notification.id, () => notification);
  void refetchMessageCounts(queries);
}

/** Marks all, or those up to one, as read in the cache. */
export function showRead(queries: QueryClient, up_to_id: string | null): void {
  changeLists<Notification>(queries, notificationsKey, (items) =>
    items.map((one) => (up_to_id === null || one.id <= up_to_id ? { ...one, read: true } : one)),
  );
}

/** Removes notifications that are void or were deleted. */
export function dropNotifications(queries: QueryClient, ids: readonly string[]): void {
  for (const id of ids) removeItem(queries, notificationsKey, id);
  void refetchMessageCounts(queries);
}

/** Marks one as read; shown immediately, and reverted when the request fails. */
export function useReadNotification() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Notification) =>
      sdk.notifications.updateNotification({ path: { note_id: id }, body: { read: true } }),
    onMutate: ({ id }) => {
      changeItem<Notification>(queries, notificationsKey, id, (one) => ({ ...one, read: true }));
      stepCount(queries, -1);
    },
    onError: (_, { id }) => {
      changeItem<Notification>(queries, notificationsKey, id, (one) => ({ ...one, read: false }));
      return refetchMessageCounts(queries);
    },
  });
}

/** Marks everything as read that the reader may have seen. */
export function useReadAll() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (up_to_id: string) => sdk.notifications.readAllNotifications({ body: { up_to_id } }),
    onMutate: (up_to_id) => {
      showRead(queries, up_to_id);
      queries.setQueryData(unreadQuery.queryKey, { count: 0 });
    },
    onError: async (error) => {
      showToast(i18n.t('Couldn’t mark as read. {problem}', { problem: describeProblem(error) }));
      await queries.invalidateQueries({ queryKey: notificationsKey });
    },
    onSettled: () => refetchMessageCounts(queries),
  });
}

/** Deletes one, which disappears immediately and is restored when the request fails. */
export function useDeleteNotification() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Notification) => sdk.notifications.deleteNotification({ path: { note_id: id } }),
    onMutate: ({ id, read }) => {
      removeItem(queries, notificationsKey, id);
      if (!read) stepCount(queries, -1);
    },
    onError: (error, notification) => {
      insertItem(queries, notificationsKey, notification);
      showToast(i18n.t('Couldn’t delete. {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => refetchMessageCounts(queries),
  });
}
