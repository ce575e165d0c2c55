/** The pinned messages of all chats. */
export const pinnedKey = ['pinned'] as const;
/** All searches for messages. */
export const searchesKey = ['message-search'] as const;
