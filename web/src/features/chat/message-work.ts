/** Operations on the messages of a chat, by the kind of chat; each updates the cached messages. */
import type { Asterism, ChatMessage, DirectMessage } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { changeItem } from '../../data/lists.ts';
import { cacheMessage, changeLastMessage, chatKey, threadsKey } from '../../data/queries/message-queries.ts';
import { hasCode } from '../../ui/problems/problem.ts';
import type { ChatPlace } from './chat-place.ts';
import { cacheChatMessage, changeChatMessage, withReaction } from './chat-queries.ts';
import type { NamedChat } from './chat-queries.ts';
import type { Unsent } from './unsent.ts';

/** The operations on the messages of one chat. */
export interface MessageWork {
  readonly remove: (message_id: string) => Promise<unknown>;
  readonly react: (message_id: string, emoji: string | null) => Promise<unknown>;
  readonly edit: (message_id: string, body: string) => Promise<unknown>;
  readonly listEdits: (message_id: string) => Promise<{ items: { body: string; replaced_at: string }[] }>;
}

/** The operations on a message of a call, a group or a widget. */
interface SharedWork extends MessageWork {
  readonly edit: (message_id: string, body: string) => Promise<ChatMessage>;
}

/** What remains of a deleted message, besides its files. */
const erase = () => ({ body: '', reactions: [], deleted_at: new Date().toISOString() });

function threadWork(queries: QueryClient, client: Asterism, thread_id: string, reader_id: string): MessageWork {
  const pathOf = (message_id: string) => ({ path: { thread_id, message_id } });
  const change = (message_id: string, by: (one: DirectMessage) => DirectMessage) =>
    changeItem<DirectMessage>(queries, chatKey(thread_id), message_id, by);
  return {
    async remove(message_id) {
      await client.dm.deleteThreadMessage(pathOf(message_id));
      const eraseAll = (one: DirectMessage) => ({ ...one, ...erase(), media: [] });
      change(message_id, eraseAll);
      changeLastMessage(queries, thread_id, message_id, eraseAll);
      void queries.invalidateQueries({ queryKey: threadsKey });
    },
    async react(message_id, emoji) {
      await client.dm.setThreadReaction({ ...pathOf(message_id), body: { emoji } });
      change(message_id, (one) => withReaction(one, reader_id, emoji));
    },
    edit: async (message_id, body) =>
      cacheMessage(queries, await client.dm.editThreadMessage({ ...pathOf(message_id), body: { body } })),
    listEdits: (message_id) => client.dm.listThreadMessageEdits(pathOf(message_id)),
  };
}

/** @param reader_id an account or a guest */
function sharedWork(queries: QueryClient, chat: NamedChat, reader_id: string, work: SharedWork): MessageWork {
  return {
    async remove(message_id) {
      await work.remove(message_id);
      changeChatMessage(queries, chat, message_id, (one) => ({ ...one, ...erase(), mentions: [], file: null }));
    },
    async react(message_id, emoji) {
      await work.react(message_id, emoji);
      changeChatMessage(queries, chat, message_id, (one) => withReaction(one, reader_id, emoji));
    },
    edit: async (message_id, body) => cacheChatMessage(queries, chat, await work.edit(message_id, body)),
    listEdits: work.listEdits,
  };
}

function groupWork({ chats }: Asterism, group_id: string): SharedWork {
  const pathOf = (message_id: string) => ({ path: { group_id, message_id } });
  return {
    remove: (id) => chats.deleteGroupChatMessage(pathOf(id)),
    react: (id, emoji) => chats.setGroupChatReaction({ ...pathOf(id), body: { emoji } }),
    edit: (id, body) => chats.editGroupChatMessage({ ...pathOf(id), body: { body } }),
    listEdits: (id) => chats.listGroupChatMessageEdits(pathOf(id)),
  };
}

function widgetWork({ widgetChats }: Asterism, widget_id: string): SharedWork {
  const pathOf = (message_id: string) => ({ path: { widget_id, message_id } });
  return {
    remove: (id) => widgetChats.deleteWidgetChatMessage(pathOf(id)),
    react: (id, emoji) => widgetChats.setWidgetChatReaction({ ...pathOf(id), body: { emoji } }),
    edit: (id, body) => widgetChats.editWidgetChatMessage({ ...pathOf(id), body: { body } }),
    listEdits: (id) => widgetChats.listWidgetChatMessageEdits(pathOf(id)),
  };
}

function callWork({ callChat }: Asterism, join_code: string): SharedWork {
  const pathOf = (message_id: string) => ({ path: { join_code, message_id } });
  return {
    remove: (id) => callChat.deleteCallChatMessage(pathOf(id)),
    react: (id, emoji) => callChat.setCallChatReaction({ ...pathOf(id), body: { emoji } }),
    edit: (id, body) => callChat.editCallChatMessage({ ...pathOf(id), body: { body } }),
    listEdits: (id) => callChat.listCallChatMessageEdits(pathOf(id)),
  };
}

/**
 * The operations on messages of a place.
 * @param client the client of the reader
 * @param reader_id an account or a guest, the identity of the client
 */
export function workOf(queries: QueryClient, client: Asterism, place: ChatPlace, reader_id: string): MessageWork {
  const { id } = place;
  if (place.kind === 'thread') return threadWork(queries, client, id, reader_id);
  if (place.kind === 'group') return sharedWork(queries, { group_id: id }, reader_id, groupWork(client, id));
  if (place.kind === 'widget')
    return sharedWork(queries, { widget_id: id, guest_id: place.guest_id }, reader_id, widgetWork(client, id));
  const { conference_id } = place;
  const chat = { join_code: id, ...(conference_id === undefined ? {} : { conference_id }) };
  return sharedWork(queries, chat, reader_id, callWork(client, id));
}

/** Carries out a queued change of a message. One that is already deleted need not be deleted. */
export async function deliverChange(work: MessageWork, change: NonNullable<Unsent['change']>): Promise<void> {
  const { message_id } = change;
  if (change.kind === 'edit') await work.edit(message_id, change.body);
  else if (change.kind === 'react') await work.react(message_id, change.emoji);
  else
    await work.remove(message_id).catch((error: unknown) => {
      if (!hasCode(error, 'not_found')) throw error;
    });
}
