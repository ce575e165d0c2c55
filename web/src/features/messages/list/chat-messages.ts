import type { ChatMessage, DirectMessage } from '@asterism/sdk';
import { sdk } from '../../../asterism.ts';
import type { ListOptions } from '../../../data/lists.ts';
import { chatKey } from '../../../data/queries/message-queries.ts';
import { groupMessagesKey } from '../../chat/chat-queries.ts';

/** The messages of a thread. */
export const threadMessages = (thread_id: string): ListOptions<DirectMessage> => ({
  queryKey: chatKey(thread_id),
  load: (query, signal) => sdk.dm.listThreadMessages({ path: { thread_id }, query, signal }),
});

/** The messages of a group. */
export const groupMessages = (group_id: string): ListOptions<ChatMessage> => ({
  queryKey: groupMessagesKey(group_id),
  load: (query, signal) => sdk.chats.listGroupChat({ path: { group_id }, query, signal }),
});
