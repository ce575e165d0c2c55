/** Operations on the messages of a chat, by the kind of chat; each updates the cached messages. */
import type { Asterism, ChatMessage, DirectMessage } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { changeItem } from '../../data/lists.ts';
import { changeChatMessage, cacheChatMessage, withReaction } from '../chat/chat-queries.ts';
import type { NamedChat } from '../chat/chat-queries.ts';
import { chatKey, cacheMessage, threadsKey } from '../../data/queries/message-queries.ts';

export interface MessageTools {
  readonly remove: (message_id: string) => Promise<unknown>;
  /** Undefined, like the two below, where the kind of chat does not support it. */
  readonly react?: (message_id: string, emoji: string | null) => Promise<unknown>;
  readonly edit?: (message_id: string, body: string) => Promise<unknown>;
  readonly listEdits?: (message_id: string) => Promise<{ items: { body: string; replaced_at: string }[] }>;
}

/** What remains of a deleted message, besides its files. */
const erase = () => ({ body: '', reactions: [], deleted_at: new Date().toISOString() });

type Reacted = Pick<ChatMessage, 'reactions'>;

/** Shows a reaction immediately, and reverts it when the request fails. @param change changes the cached message */
async function reactAtOnce(
  change: (by: <T extends Reacted>(message: T) => T) => void,
  reader_id: string,
  emoji: string | null,
  send: () => Promise<unknown>,
): Promise<void> {
  let before: Reacted['reactions'] | undefined;
  change((one) => {
    before = one.reactions;
    return withReaction(one, reader_id, emoji);
  });
  try {
    await send();
  } catch (error) {
    change((one) => ({ ...one, reactions: before ?? one.reactions }));
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
        reactAtOnce(
          (change) => changeItem<DirectMessage>(queries, chatKey(thread_id), message_id, change),
          user_id,
          emoji,
          () => sdk.dm.setThreadReaction({ ...pathOf(message_id), body: { emoji } }),
        ),
      edit: async (message_id, body) =>
        cacheMessage(queries, await sdk.dm.editThreadMessage({ ...pathOf(message_id), body: { body } })),
      listEdits: (message_id) => sdk.dm.listThreadMessageEdits(pathOf(message_id)),
    };
  }, [queries, thread_id, user_id]);
}

/** The operations on a message of a call, a group or a widget. */
interface ChatWork {
  readonly remove: (message_id: string) => Promise<unknown>;
  readonly react: (message_id: string, emoji: string | null) => Promise<unknown>;
  readonly edit: (message_id: string, body: string) => Promise<ChatMessage>;
  readonly listEdits: NonNullable<MessageTools['listEdits']>;
}

/** @param reader_id an account or a guest */
function toolsOf(queries: QueryClient, chat: NamedChat, reader_id: string, work: ChatWork): MessageTools {
  return {
    async remove(message_id) {
      await work.remove(message_id);
      changeChatMessage(queries, chat, message_id, (one) => ({ ...one, ...erase(), mentions: [], file: null }));
    },
    react: (message_id, emoji) =>
      reactAtOnce(
        (change) => changeChatMessage(queries, chat, message_id, change),
        reader_id,
        emoji,
        () => work.react(message_id, emoji),
      ),
    edit: async (message_id, body) => cacheChatMessage(queries, chat, await work.edit(message_id, body)),
    listEdits: work.listEdits,
  };
}

/** For a group. @param user_id the reader */
export function useGroupTools(group_id: string, user_id: string): MessageTools {
  const queries = useQueryClient();
  return useMemo(() => {
    const pathOf = (message_id: string) => ({ path: { group_id, message_id } });
    return toolsOf(queries, { group_id }, user_id, {
      remove: (id) => sdk.chats.deleteGroupChatMessage(pathOf(id)),
      react: (id, emoji) => sdk.chats.setGroupChatReaction({ ...pathOf(id), body: { emoji } }),
      edit: (id, body) => sdk.chats.editGroupChatMessage({ ...pathOf(id), body: { body } }),
      listEdits: (id) => sdk.chats.listGroupChatMessageEdits(pathOf(id)),
    });
  }, [queries, group_id, user_id]);
}

/** For the conversation of a widget's guest with those who serve it. @param user_id the reader */
export function useWidgetTools(widget_id: string, guest_id: string, user_id: string): MessageTools {
  const queries = useQueryClient();
  return useMemo(() => {
    const pathOf = (message_id: string) => ({ path: { widget_id, message_id } });
    return toolsOf(queries, { widget_id, guest_id }, user_id, {
      remove: (id) => sdk.chats.deleteWidgetChatMessage(pathOf(id)),
      react: (id, emoji) => sdk.chats.setWidgetChatReaction({ ...pathOf(id), body: { emoji } }),
      edit: (id, body) => sdk.chats.editWidgetChatMessage({ ...pathOf(id), body: { body } }),
      listEdits: (id) => sdk.chats.listWidgetChatMessageEdits(pathOf(id)),
    });
  }, [queries, widget_id, guest_id, user_id]);
}

/**
 * For a call.
 * @param reader_id an account or a guest, the identity of the client
 * @param conference_id the call among those that share the code, once it is over
 */
export function useCallTools(
  join_code: string,
  reader_id: string,
  client: Asterism,
  conference_id?: string,
): MessageTools {
  const queries = useQueryClient();
  return useMemo(() => {
    const pathOf = (message_id: string) => ({ path: { join_code, message_id } });
    const chat = { join_code, ...(conference_id === undefined ? {} : { conference_id }) };
    return toolsOf(queries, chat, reader_id, {
      remove: (id) => client.callChat.deleteCallChatMessage(pathOf(id)),
      react: (id, emoji) => client.callChat.setCallChatReaction({ ...pathOf(id), body: { emoji } }),
      edit: (id, body) => client.callChat.editCallChatMessage({ ...pathOf(id), body: { body } }),
      listEdits: (id) => client.callChat.listCallChatMessageEdits(pathOf(id)),
    });
  }, [queries, join_code, conference_id, reader_id, client]);
}
