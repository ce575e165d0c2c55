import type { Reply } from '@asterism/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useContext, useEffect } from 'react';
import { sdk } from '../../../asterism.ts';
import { updateCached } from '../../../data/cache.ts';
import { StreamContext } from '../../../data/stream.ts';
import { pinnedKey } from '../../../data/queries/message-list-queries.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import type { MemberChat, ShownMessage } from '../../chat/chat-message.ts';

type Pinned = Reply<'chatDetails', 'listPinnedMessages'>;
export type PinnedMessage = Pinned['items'][number];

const idOf = (chat: MemberChat): string => ('thread_id' in chat ? chat.thread_id : chat.group_id);
const keyOf = (chat: MemberChat) => [...pinnedKey, idOf(chat)];

/** Reads the pinned messages of a chat: all of them, since a chat has at most 50. */
export const pinnedQuery = (chat: MemberChat | undefined) =>
  queryOptions({
    queryKey: chat === undefined ? pinnedKey : keyOf(chat),
    queryFn: ({ signal }) => sdk.chatDetails.listPinnedMessages({ query: { ...chat, limit: 50 }, signal }),
    enabled: chat !== undefined,
  });

/** The pinned messages of a chat, newest first. */
export const usePinned = (chat: MemberChat | undefined): readonly PinnedMessage[] =>
  useQuery(pinnedQuery(chat)).data?.items ?? [];

/** Refetches the pinned messages of a chat when others pin, edit or delete one. */
export function usePinEvents(chat: MemberChat): void {
  const queries = useQueryClient();
  const stream = useContext(StreamContext);
  const id = idOf(chat);
  useEffect(() => {
    const queryKey = [...pinnedKey, id];
    const refetch = () => void queries.invalidateQueries({ queryKey });
    const refetchIfPinned = (message_id: string) => {
      const pinned = queries.getQueryData<Pinned>(queryKey)?.items;
      if (pinned?.some((one) => one.id === message_id) === true) refetch();
    };
    const ends = [
      stream?.on('chat.pinned', ({ data }) => {
        if ((data.thread_id ?? data.group_id) === id) refetch();
      }),
      stream?.on('dm.message', ({ data }) => refetchIfPinned(data.message.id)),
      stream?.on('chat.edited', ({ data }) => refetchIfPinned(data.message_id)),
      stream?.on('chat.deleted', ({ data }) => refetchIfPinned(data.message.id)),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  }, [queries, stream, id]);
}

/** Pins or unpins a message in what is cached, as the service will answer. */
function cachePin(queries: QueryClient, chat: MemberChat, { id, body, files, created_at }: PinChange, pinned: boolean) {
  updateCached<Pinned>(queries, keyOf(chat), ({ items, ...page }) => {
    const others = items.filter((one) => one.id !== id);
    const all = pinned ? [...others, { id, author: null, body, files: [...files], created_at }] : others;
    return { ...page, items: all.sort((one, other) => (one.id < other.id ? 1 : -1)) };
  });
}

type PinChange = Pick<ShownMessage, 'id' | 'body' | 'files' | 'created_at'>;

/** Pins and unpins messages of a chat for everyone in it; shown at once, and as before when it fails. */
export function usePin(chat: MemberChat | undefined): (message: PinChange, pinned: boolean) => void {
  const queries = useQueryClient();
  return (message, pinned) => {
    if (chat === undefined) return;
    cachePin(queries, chat, message, pinned);
    const { id: message_id } = message;
    const sent =
      'thread_id' in chat
        ? sdk.chatDetails.setThreadPin({ path: { ...chat, message_id }, body: { pinned } })
        : sdk.chatDetails.setGroupChatPin({ path: { ...chat, message_id }, body: { pinned } });
    sent
      .catch((error: unknown) => showToast(describeProblem(error)))
      .finally(() => void queries.invalidateQueries({ queryKey: keyOf(chat) }));
  };
}
