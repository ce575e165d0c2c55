import type { Asterism, ChatMessage } from '@asterism/sdk';
import { sdk } from '../../../asterism.ts';
import { callMessagesKey } from '../../chat/chat-queries.ts';
import { useMessages } from '../../chat/use-messages.ts';

const PAGE = 100;

interface CallChatOptions {
  enabled: boolean;
  /** The message at which the chat is opened; by default the newest. */
  at?: string | undefined;
  /** The SDK client: the account's by default. */
  client?: Asterism;
}

/** The messages of a call, newest first, as far as they have been loaded. */
export function useCallChat(join_code: string, { enabled, at, client = sdk }: CallChatOptions) {
  return useMessages<ChatMessage>({
    queryKey: callMessagesKey(join_code),
    load: (query, signal) =>
      client.calls.listCallChat({ path: { join_code }, query: { ...query, limit: PAGE }, signal }),
    at,
    enabled,
  });
}
