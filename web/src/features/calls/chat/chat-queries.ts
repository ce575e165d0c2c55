import type { ChatMessage } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { insertItem, useList } from '../../../lists.ts';

const PAGE = 100;

export const callChatKey = (join_code: string) => ['call-chat', join_code] as const;

/** What was said in a call, newest first, as far as it has been read back. */
export function useCallChat(join_code: string, enabled: boolean) {
  return useList<ChatMessage>({
    queryKey: callChatKey(join_code),
    load: (query, signal) => sdk.calls.listCallChat({ path: { join_code }, query: { ...query, limit: PAGE }, signal }),
    enabled,
  });
}

/** Adds a message that came by the stream or as a reply, whichever is first; the other is the same message. */
export function keepChatMessage(queries: QueryClient, join_code: string, message: ChatMessage): void {
  insertItem(queries, callChatKey(join_code), message);
}

/** Who wrote a message, in words. */
export function authorOf(message: ChatMessage): string {
  const { user, guest } = message.author ?? {};
  return user?.display_name || user?.username || guest?.name || 'Asterism';
}
