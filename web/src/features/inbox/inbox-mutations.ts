import type { Reply } from '@asterism/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home/home-start.ts';
import { changeItem, insertItem, removeItem } from '../../lists.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

export type Message = Reply<'inbox', 'listInbox'>['items'][number];

export const inboxKey = ['inbox'] as const;

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

function recount(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: inboxCountQuery.queryKey });
}

/**
 * Fetches what the stream told of, so that its addresses of sound and film are made for the reader: the newest few hold
 * what is new, and what has changed is mostly among them.
 */
export async function takeMessage(queries: QueryClient, id: string): Promise<void> {
  void recount(queries);
  const { items } = await sdk.inbox.listInbox({ query: { limit: 10 } });
  const message = items.find((one) => one.id === id);
  if (message === undefined) return queries.invalidateQueries({ queryKey: inboxKey });
  insertItem(queries, inboxKey, message);
  changeItem<Message>(queries, inboxKey, id, () => message);
}

/** Takes away what was deleted, or has given its place to something newer of the same call. */
export function dropFromInbox(queries: QueryClient, ids: readonly string[]): void {
  for (const id of ids) removeItem(queries, inboxKey, id);
  void recount(queries);
}

/** Marks one as read or unread: at once here, and back when the service does not take it. */
export function useMark() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ message, read }: { message: Message; read: boolean }) =>
      sdk.inbox.updateMessage({ path: { message_id: message.id }, body: { read } }),
    onMutate: ({ message, read }) => changeItem<Message>(queries, inboxKey, message.id, (one) => ({ ...one, read })),
    onError: (error, { message }) => {
      changeItem<Message>(queries, inboxKey, message.id, (one) => ({ ...one, read: message.read }));
      showToast(i18n.t('It stays as it was: {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => recount(queries),
  });
}

/** Deletes one, which goes at once and comes back when the service does not let it go. */
export function useDelete() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Message) => sdk.inbox.deleteMessage({ path: { message_id: id } }),
    onMutate: ({ id }) => removeItem(queries, inboxKey, id),
    onError: (error, message) => {
      insertItem(queries, inboxKey, message);
      showToast(i18n.t('It is still there: {problem}', { problem: describeProblem(error) }));
    },
    onSettled: () => recount(queries),
  });
}
