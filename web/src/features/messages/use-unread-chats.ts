import { useQuery } from '@tanstack/react-query';
import { dmCountQuery } from '../../data/queries/message-queries.ts';
import { countUnreadOf, groupChatsQuery } from '../chat/chat-queries.ts';

/** The number of unread messages in all chats that are not muted, and of message requests. */
export function useUnreadChats(): number {
  const { count = 0, pending = 0 } = useQuery(dmCountQuery).data ?? {};
  const groups = useQuery(groupChatsQuery).data;
  return count + pending + (groups === undefined ? 0 : countUnreadOf(groups));
}
