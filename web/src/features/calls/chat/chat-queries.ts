import type { ChatMessage } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { changeKept } from '../../../queries.ts';

const SCROLLBACK = 100;

/** What was said in a call, oldest first. */
export function chatQuery(join_code: string) {
  return queryOptions({
    queryKey: ['call-chat', join_code],
    queryFn: async ({ signal }): Promise<ChatMessage[]> => {
      const page = await sdk.calls.listCallChat({ path: { join_code }, query: { limit: SCROLLBACK }, signal });
      return page.items.toReversed();
    },
    staleTime: 30_000,
  });
}

/** Adds a message that came by the stream or as a reply, whichever is first; the other is the same message. */
export function keepChatMessage(queries: QueryClient, join_code: string, message: ChatMessage): void {
  changeKept<ChatMessage[]>(queries, chatQuery(join_code).queryKey, (known) =>
    known.some((one) => one.id === message.id) ? known : [...known, message],
  );
}

/** Who wrote a message, in words. */
export function authorOf(message: ChatMessage): string {
  const { user, guest } = message.author ?? {};
  return user?.display_name || user?.username || guest?.name || 'Asterism';
}
