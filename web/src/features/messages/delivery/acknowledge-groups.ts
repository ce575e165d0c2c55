/** Confirms that messages of groups have been delivered to this device. Loaded when there is one to confirm. */
import type { ChatMessage, RealtimeStream } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { meQuery } from '../../../data/queries/me-query.ts';
import { groupChatsQuery } from '../../chat/chat-queries.ts';
import type { GroupChat } from '../../chat/chat-queries.ts';

/** Messages within this time are confirmed with one request for each group; those read in the meantime need none. */
const GATHER_MS = 2_000;

/** The groups of one stream, which is that of one account: up to where they are confirmed, or will be. */
interface Confirmed {
  readonly known: Map<string, string>;
  readonly waiting: Set<string>;
}

const all = new WeakMap<RealtimeStream, Confirmed>();

const isRead = (queries: QueryClient, group_id: string): boolean =>
  queries.getQueryData(groupChatsQuery.queryKey)?.items.find(({ group }) => group.id === group_id)?.unread_count === 0;

/** Confirms a message that has arrived, and with it the older ones of its group. */
export function noteGroup(stream: RealtimeStream, queries: QueryClient, group_id: string, message: ChatMessage): void {
  const author_id = message.author?.user?.id;
  if (author_id === queries.getQueryData(meQuery.queryKey)?.id) return;
  const { known, waiting } = all.get(stream) ?? { known: new Map<string, string>(), waiting: new Set<string>() };
  all.set(stream, { known, waiting });
  if ((known.get(group_id) ?? '') >= message.id) return;
  known.set(group_id, message.id);
  if (waiting.has(group_id)) return;
  waiting.add(group_id);
  setTimeout(() => {
    waiting.delete(group_id);
    const up_to_id = known.get(group_id);
    if (up_to_id === undefined || isRead(queries, group_id)) return;
    // The next message, or the next list, confirms it again.
    sdk.chatDetails
      .markGroupChatDelivered({ path: { group_id }, body: { up_to_id } })
      .catch(() => known.delete(group_id));
  }, GATHER_MS);
}

/** Confirms the newest messages of a list of chats, which may have arrived while this device was away. */
export function noteGroups(stream: RealtimeStream, queries: QueryClient, chats: readonly GroupChat[]): void {
  for (const { group, last_message, unread_count, delivered_up_to } of chats)
    if (last_message !== null && unread_count > 0 && (delivered_up_to ?? '') < last_message.id)
      noteGroup(stream, queries, group.id, last_message);
}
