import type { Reply } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { dmCountQuery } from '../../data/queries/message-queries.ts';
import { countUnreadOf, groupChatsQuery } from '../chat/chat-queries.ts';

/** The number of unread messages in all chats that are not muted, and of message requests, as far as they are known. */
export const countUnreadChats = (
  threads: Reply<'dm', 'countUnreadDms'> | undefined,
  groups: Reply<'home', 'listHomeGroupChats'> | undefined,
): number => (threads?.count ?? 0) + (threads?.pending ?? 0) + (groups === undefined ? 0 : countUnreadOf(groups));

/** That number, as it changes. */
export const useUnreadChats = (): number =>
  countUnreadChats(useQuery(dmCountQuery).data, useQuery(groupChatsQuery).data);
