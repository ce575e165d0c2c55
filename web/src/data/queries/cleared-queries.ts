import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { endLists } from '../lists.ts';

/** The pinned messages of all chats, and the media of all of them. */
export const pinnedKey = ['pinned'] as const;
export const mediaKey = ['chat-media'] as const;
/** All searches for messages. */
export const searchesKey = ['message-search'] as const;

/**
 * Drops what is cached of the messages of a chat that its reader has cleared, also where it is not shown.
 * @param messages the key of the messages of the chat
 * @param up_to_id the last cleared message
 */
export function dropCleared(queries: QueryClient, chat_id: string, messages: QueryKey, up_to_id: string): void {
  if (!endLists(queries, messages, up_to_id)) return;
  void queries.invalidateQueries({ queryKey: messages });
  for (const key of [[...pinnedKey, chat_id], [...mediaKey, chat_id], searchesKey]) {
    queries.removeQueries({ queryKey: key, type: 'inactive' });
    void queries.invalidateQueries({ queryKey: key });
  }
}
