import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { removeItem } from '../../../data/lists.ts';
import {
  cacheThread,
  chatKey,
  refetchMessageCounts,
  threadQuery,
  threadsKey,
} from '../../../data/queries/message-queries.ts';
import { writeStored } from '../../../data/storage/stored-texts.ts';
import type { MemberChat } from '../../chat/chat-message.ts';
import { groupChatsQuery, groupMessagesKey } from '../../chat/chat-queries.ts';
import { keyOfPlace } from '../../chat/chat-place.ts';
import { draftName, replyName } from '../../chat/composer/use-draft.ts';
import { filesName } from '../../files/attached-files.ts';

/** What the reader does with a chat: clears it, or deletes it from their lists as well. */
export type Clearing = 'clear' | 'delete';

const keyOf = (chat: MemberChat): string =>
  'thread_id' in chat
    ? keyOfPlace({ kind: 'thread', id: chat.thread_id })
    : keyOfPlace({ kind: 'group', id: chat.group_id });

/** Clears a chat for its reader, or deletes a thread; what is cached follows, on other devices by the stream. */
export async function clearChat(
  queries: QueryClient,
  chat: MemberChat,
  what: Clearing,
  user_id: string | undefined,
): Promise<void> {
  if ('group_id' in chat) {
    await sdk.clearedChats.clearGroupChat({ path: chat });
    // The stream says up to where; without it, the chat is read again.
    for (const queryKey of [groupChatsQuery.queryKey, groupMessagesKey(chat.group_id)])
      void queries.invalidateQueries({ queryKey });
  } else if (what === 'delete') {
    await sdk.clearedChats.deleteThread({ path: chat });
    const { queryKey } = threadQuery(chat.thread_id);
    for (const key of [queryKey, chatKey(chat.thread_id)]) queries.removeQueries({ queryKey: key, type: 'inactive' });
    removeItem(queries, threadsKey, chat.thread_id);
    void refetchMessageCounts(queries);
  } else cacheThread(queries, await sdk.clearedChats.clearThread({ path: chat }));
  if (user_id === undefined) return;
  const key = keyOf(chat);
  // What was replied to is gone; with a deleted chat its draft is as well.
  const names = what === 'delete' ? [replyName(key), draftName(key), filesName(key)] : [replyName(key)];
  for (const name of names) writeStored(user_id, name, undefined);
}
