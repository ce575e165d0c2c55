/** The keys of lists that are made of the messages of chats. */

/** The pinned messages of all chats. */
export const pinnedKey = ['pinned'] as const;
/** The media of all chats. */
export const mediaKey = ['chat-media'] as const;
/** All searches for messages. */
export const searchesKey = ['message-search'] as const;
