/** Confirms that messages of groups have been delivered to this device. Loaded when there is one to confirm. */
import type { ChatMessage, RealtimeStream } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { meQuery } from '../../../data/queries/me-query.ts';
import { groupChatsQuery } from '../../chat/chat-queries.ts';
import type { GroupChat } from '../../chat/chat-queries.ts';
import { createConfirmations } from './confirmations.ts';
import type { Confirmations } from './confirmations.ts';

/** Longer than for direct messages: each member confirms what one of them has written. */
const GATHER_MS = 2_000;

/** Those of each stream, which is that of one account. */
const confirmations = new WeakMap<RealtimeStream, Confirmations>();

const createForGroups = (queries: QueryClient): Confirmations =>
  createConfirmations({
    gather_ms: GATHER_MS,
    isRead: (group_id) =>
      queries.getQueryData(groupChatsQuery.queryKey)?.items.find(({ group }) => group.id === group_id)?.unread_count ===
      0,
    send: (group_id, up_to_id) => sdk.chatDetails.markGroupChatDelivered({ path: { group_id }, body: { up_to_id } }),
  });

/** Confirms a message that has arrived, and with it the older ones of its group. */
export function acknowledgeGroupMessage(
  stream: RealtimeStream,
  queries: QueryClient,
  group_id: string,
  message: ChatMessage,
): void {
  if (message.author?.user?.id === queries.getQueryData(meQuery.queryKey)?.id) return;
  const own = confirmations.get(stream) ?? createForGroups(queries);
  confirmations.set(stream, own);
  own.note(group_id, message.id);
}

/** Confirms the newest messages of a list of chats, which may have arrived while this device was away. */
export function acknowledgeGroupChats(stream: RealtimeStream, queries: QueryClient, chats: readonly GroupChat[]): void {
  for (const { group, last_message, unread_count, delivered_up_to } of chats)
    if (last_message !== null && unread_count > 0 && (delivered_up_to ?? '') < last_message.id)
      acknowledgeGroupMessage(stream, queries, group.id, last_message);
}
