/** What is done to messages that stand in a chat, by the operations of its kind; each keeps what that has changed. */
import type { ChatMessage, DirectMessage } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { changeItem } from '../../lists.ts';
import {
  groupChatsQuery,
  groupMessagesKey,
  keepGroupMessage,
  widgetInboxKey,
  widgetMessagesKey,
  withReaction,
} from '../chat/chat-queries.ts';
import { chatKey, keepMessage, threadsKey } from './message-queries.ts';

export interface MessageTools {
  readonly remove: (message_id: string) => Promise<unknown>;
  /** Left out, as the two below, where the chat of a kind knows no such thing. */
  readonly react?: (message_id: string, emoji: string | null) => Promise<unknown>;
  readonly edit?: (message_id: string, body: string) => Promise<unknown>;
  readonly listEdits?: (message_id: string) => Promise<{ items: { body: string; replaced_at: string }[] }>;
}

/** What deleting leaves of a message, beside its files. */
const erase = () => ({ body: '', reactions: [], deleted_at: new Date().toISOString() });

/** Shows a reaction at once, and what stood before when it is not taken. */
async function reactAtOnce(
  queries: QueryClient,
  queryKey: QueryKey,
  work: { message_id: string; user_id: string; emoji: string | null; send: () => Promise<unknown> },
): Promise<void> {
  let before: ChatMessage['reactions'] | undefined;
  changeItem<ChatMessage | DirectMessage>(queries, queryKey, work.message_id, (one) => {
    before = one.reactions;
    return withReaction(one, work.user_id, work.emoji);
  });
  try {
    await work.send();
  } catch (error) {
    changeItem<ChatMessage | DirectMessage>(queries, queryKey, work.message_id, (one) => ({
      ...one,
      reactions: before ?? one.reactions,
    }));
    throw error;
  }
}

/** For a thread. @param user_id the reader */
export function useThreadTools(thread_id: string, user_id: string): MessageTools {
  const queries = useQueryClient();
  return useMemo(() => {
    const pathOf = (message_id: string) => ({ path: { thread_id, message_id } });
    return {
      async remove(message_id) {
        await sdk.dm.deleteThreadMessage(pathOf(message_id));
        changeItem<DirectMessage>(queries, chatKey(thread_id), message_id, (one) => ({
          ...one,
          ...erase(),
          media: [],
        }));
        void queries.invalidateQueries({ queryKey: threadsKey });
      },
      react: (message_id, emoji) =>
        reactAtOnce(queries, chatKey(thread_id), {
          message_id,
          user_id,
          emoji,
          send: () => sdk.dm.setThreadReaction({ ...pathOf(message_id), body: { emoji } }),
        }),
      edit: async (message_id, body) =>
        keepMessage(queries, await sdk.dm.editThreadMessage({ ...pathOf(message_id), body: { body } })),
      listEdits: (message_id) => sdk.dm.listThreadMessageEdits(pathOf(message_id)),
    };
  }, [queries, thread_id, user_id]);
}

/** For a group. @param user_id the reader */
export function useGroupTools(group_id: string, user_id: string): MessageTools {
  const queries = useQueryClient();
  return useMemo(() => {
    const pathOf = (message_id: string) => ({ path: { group_id, message_id } });
    return {
      async remove(message_id) {
        await sdk.chats.deleteGroupChatMessage(pathOf(message_id));
        changeItem<ChatMessage>(queries, groupMessagesKey(group_id), message_id, (one) => ({
          ...one,
          ...erase(),
          file: null,
        }));
        void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
      },
      react: (message_id, emoji) =>
        reactAtOnce(queries, groupMessagesKey(group_id), {
          message_id,
          user_id,
          emoji,
          send: () => sdk.chats.setGroupChatReaction({ ...pathOf(message_id), body: { emoji } }),
        }),
      edit: async (message_id, body) =>
        keepGroupMessage(
          queries,
          group_id,
          await sdk.chats.editGroupChatMessage({ ...pathOf(message_id), body: { body } }),
        ),
      listEdits: (message_id) => sdk.chats.listGroupChatMessageEdits(pathOf(message_id)),
    };
  }, [queries, group_id, user_id]);
}

/** For what a guest of a widget and those who serve it write. */
export function useWidgetTools(widget_id: string, guest_id: string): MessageTools {
  const queries = useQueryClient();
  return useMemo(
    () => ({
      async remove(message_id) {
        await sdk.chats.deleteWidgetChatMessage({ path: { widget_id, message_id } });
        changeItem<ChatMessage>(queries, widgetMessagesKey(widget_id, guest_id), message_id, (one) => ({
          ...one,
          ...erase(),
          file: null,
        }));
        void queries.invalidateQueries({ queryKey: widgetInboxKey });
      },
    }),
    [queries, widget_id, guest_id],
  );
}
