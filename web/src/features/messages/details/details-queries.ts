import type { ChatSource } from '../../chat/chat-message.ts';

/** A chat whose pictures, files and links are listed. */
export type MediaChat = Extract<ChatSource, { thread_id: string } | { group_id: string }>;

/** One list of a chat's media. */
export const chatMediaKey = (chat: MediaChat, kind: string) =>
  ['chat-media', Object.values(chat).join(''), kind] as const;

/** Who has read and received a message of a group. */
export const receiptsKey = (group_id: string, message_id: string) => ['receipts', group_id, message_id] as const;
