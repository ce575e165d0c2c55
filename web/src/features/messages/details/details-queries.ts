import { mediaKey } from '../../../data/queries/message-list-queries.ts';
import type { MemberChat } from '../../chat/chat-message.ts';

/** One list of a chat's media. */
export const chatMediaKey = (chat: MemberChat, kind: string) =>
  [...mediaKey, Object.values(chat).join(''), kind] as const;

/** Who has read and received a message of a group. */
export const receiptsKey = (group_id: string, message_id: string) => ['receipts', group_id, message_id] as const;
