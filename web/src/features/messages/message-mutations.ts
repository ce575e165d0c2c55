import type { Thread } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import type { MemberChat } from '../chat/chat-message.ts';
import { groupChatsQuery, showGroupRead } from '../chat/chat-queries.ts';
import { cacheThread, refetchMessageCounts, threadQuery, threadsKey } from '../../data/queries/message-queries.ts';

/** Accepts or declines a request; if that was done elsewhere in the meantime, the thread is refetched. */
export function useAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ thread, word }: { thread: Thread; word: 'accept' | 'decline' }) => {
      const path = { thread_id: thread.id };
      return word === 'accept' ? sdk.dm.acceptThread({ path }) : sdk.dm.declineThread({ path });
    },
    onSuccess: (thread) => cacheThread(queries, thread),
    onError: (error, { thread }) => {
      showToast(describeProblem(error));
      void queries.invalidateQueries({ queryKey: threadQuery(thread.id).queryKey });
      void queries.invalidateQueries({ queryKey: threadsKey });
    },
  });
}

/** Marks a chat as read up to a message. */
export async function readChat(queries: QueryClient, chat: MemberChat, up_to_id: string): Promise<void> {
  const body = { up_to_id };
  if ('thread_id' in chat) {
    await sdk.dm.readThread({ path: chat, body });
    return refetchMessageCounts(queries);
  }
  await sdk.chats.readGroupChat({ path: chat, body });
  // The stream says how many remain after a message that is not the newest.
  const listed = queries.getQueryData(groupChatsQuery.queryKey)?.items.find(({ group }) => group.id === chat.group_id);
  if ((listed?.last_message?.id ?? '') > up_to_id) return;
  showGroupRead(queries, chat.group_id, { unread_count: 0, unread_mentions: 0 });
}

/** Reports the reader's read position to the service. */
export function useRead(chat: MemberChat) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: (up_to_id: string) => readChat(queries, chat, up_to_id) });
}
