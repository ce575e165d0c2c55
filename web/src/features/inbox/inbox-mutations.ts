import type { Reply } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, insertItem, removeItem } from '../../data/lists.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { inboxKey, inboxCountQuery } from '../../data/queries/inbox-queries.ts';

export type Message = Reply<'inbox', 'listInbox'>['items'][number];

function refetchMessageCounts(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: inboxCountQuery.queryKey });
}

/**
 * Fetches the entry of an event, since its media addresses must be created for the reader: the newest page contains new
 * entries, and usually a changed one.
 */
export async function refreshMessage(queries: QueryClient, id: string): Promise<void> {
  void refetchMessageCounts(queries);
  const { items } = await sdk.inbox.listInbox({ query: { limit: 10 } });
  const message = items.find((one) => one.id === id);
  if (message === undefined) return queries.invalidateQueries({ queryKey: inboxKey });
  insertItem(queries, inboxKey, message);
  changeItem<Message>(queries, inboxKey, id, () => message);
}

/** Removes entries that were deleted, or replaced by a newer one of the same call. */
export function dropFromInbox(queries: QueryClient, ids: readonly string[]): void {
  for (const id of ids) removeItem(queries, inboxKey, id);
  void refetchMessageCounts(queries);
}

/** Marks an entry as read or unread; shown immediately, and reverted when the request fails. */
export function useMarkInboxMessage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ message, read }: { message: Message; read: boolean }) =>
      sdk.inbox.updateMessage({ path: { message_id: message.id }, body: { read } }),
    onMutate: ({ message, read }) => changeItem<Message>(queries, inboxKey, message.id, (one) => ({ ...one, read })),
    onError: (error, { message }) => {
      changeItem<Message>(queries, inboxKey, message.id, (one) => ({ ...one, read: message.read }));
      showToast(i18n.t('Couldn’t save. {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => refetchMessageCounts(queries),
  });
}

/** Deletes an entry, which disappears immediately and is restored when the request fails. */
export function useDeleteInboxMessage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Message) => sdk.inbox.deleteMessage({ path: { message_id: id } }),
    onMutate: ({ id }) => removeItem(queries, inboxKey, id),
    onError: (error, message) => {
      insertItem(queries, inboxKey, message);
      showToast(i18n.t('Couldn’t delete. {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => refetchMessageCounts(queries),
  });
}
