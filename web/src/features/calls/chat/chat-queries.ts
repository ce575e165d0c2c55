import type { Asterism, ChatMessage } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { insertItem, useList } from '../../../lists.ts';

const PAGE = 100;

export const callChatKey = (join_code: string) => ['call-chat', join_code] as const;

interface CallChatOptions {
  enabled: boolean;
  /** The service as whoever reads: the account, unless told. */
  client?: Asterism;
  /** How often it is asked for anew, in milliseconds, where no stream tells of it. */
  asks_every_ms?: number;
}

export type CallChat = ReturnType<typeof useCallChat>;

/** What was said in a call, newest first, as far as it has been read back. */
export function useCallChat(join_code: string, { enabled, client = sdk, asks_every_ms }: CallChatOptions) {
  return useList<ChatMessage>({
    queryKey: callChatKey(join_code),
    ...(asks_every_ms === undefined ? {} : { asks_every_ms }),
    load: (query, signal) =>
      client.calls.listCallChat({ path: { join_code }, query: { ...query, limit: PAGE }, signal }),
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
