/** Drops what is cached of a chat that its reader has cleared, as `drop-cleared-queries.ts` does, which is loaded for it. */
export function dropWhenLoaded(...of_chat: Parameters<(typeof import('./drop-cleared-queries.ts'))['dropCleared']>): void {
  // Without it the messages are gone when the chat is read again.
  import('./drop-cleared-queries.ts').then(({ dropCleared }) => dropCleared(...of_chat), () => undefined);
}
