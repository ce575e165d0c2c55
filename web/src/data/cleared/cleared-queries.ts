/** The pinned messages of all chats, and the media of all of them. */
export const pinnedKey = ['pinned'] as const;
export const mediaKey = ['chat-media'] as const;
/** All searches for messages. */
export const searchesKey = ['message-search'] as const;
