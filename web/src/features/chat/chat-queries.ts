import type { ChatMessage, RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, cutLists, insertItem } from '../../data/lists.ts';
import { catchUp, updateCached } from '../../data/cache.ts';
import type { IsKnown } from '../../data/cache.ts';
import { pinnedKey } from '../../data/queries/message-list-queries.ts';
import { meQuery } from '../../data/queries/me-query.ts';
import { dropClearedLazily } from '../../data/queries/message-queries.ts';
import { reactionAuthorOf } from './reaction-author.ts';
import { keyOfPlace } from './chat-place.ts';
import { isMuted } from '../../data/chat-settings.ts';
import { isInFlight } from '../../data/in-flight.ts';

type GroupChats = Reply<'home', 'listHomeGroupChats'>;
export type GroupChat = GroupChats['items'][number];

const MAX_GROUPS = 100;

/** The chats of the reader's groups, latest first, with their unread counts. */
export const groupChatsQuery = queryOptions({
  queryKey: ['group-chats'],
  queryFn: ({ signal }) => sdk.home.listHomeGroupChats({ query: { limit: MAX_GROUPS }, signal }),
  staleTime: 60_000,
});

/** The archived ones of them. */
export const archivedGroupsQuery = queryOptions({
  queryKey: [...groupChatsQuery.queryKey, 'archived'],
  queryFn: ({ signal }) => sdk.home.listHomeGroupChats({ query: { limit: MAX_GROUPS, archived: true }, signal }),
  staleTime: 60_000,
});

/** The messages of all groups. */
export const allGroupMessagesKey = ['group-chat'] as const;
export const groupMessagesKey = (group_id: string) => [...allGroupMessagesKey, group_id] as const;
export const widgetMessagesKey = (widget_id: string, guest_id: string) => ['widget-chat', widget_id, guest_id] as const;
export const callMessagesKey = (join_code: string) => ['call-chat', join_code] as const;
/** The messages of one call, for its former participants: calls of an event or a room share their code. */
export const transcriptKey = (conference_id: string) => ['call-transcript', conference_id] as const;
/** The latest messages of all guests of a widget. */
const widgetInboxKey = ['widget-inbox'] as const;
export const widgetInboxOfKey = (widget_id: string) => [...widgetInboxKey, widget_id] as const;
/** The messages of a chat that was opened at one of them. */
export const aroundKey = (chat: QueryKey, message_id: string | undefined) => [...chat, message_id] as const;

/** The number of unread messages of groups, except muted ones. */
export const countUnreadOf = ({ items }: GroupChats): number =>
  items.reduce((sum, { unread_count, settings }) => sum + (isMuted(settings) ? 0 : unread_count), 0);

/** A message in which one person's reaction is replaced, or removed. @param author_id an account or a guest */
export function withReaction<T extends { reactions: ChatMessage['reactions'] }>(
  message: T,
  author_id: string,
  emoji: string | null,
): T {
  const at = message.reactions.findIndex((one) => reactionAuthorOf(one) === author_id);
  if (emoji === null) return { ...message, reactions: message.reactions.filter((_, index) => index !== at) };
  const felt = { emoji, ...(author_id.startsWith('gst_') ? { guest_id: author_id } : { user_id: author_id }) };
  return { ...message, reactions: at === -1 ? [...message.reactions, felt] : message.reactions.with(at, felt) };
}

/** The identifier of a chat, as events and pages name it. */
export interface NamedChat {
  readonly join_code?: string;
  readonly conference_id?: string;
  readonly group_id?: string;
  readonly widget_id?: string;
  /** Undefined for messages in the conversations of all guests. */
  readonly guest_id?: string;
}

/** The query key of a chat's messages. */
function keyOf({ join_code, group_id, widget_id = '', guest_id }: NamedChat): readonly string[] {
  if (join_code !== undefined) return callMessagesKey(join_code);
  if (group_id !== undefined) return groupMessagesKey(group_id);
  return guest_id === undefined ? ['widget-chat', widget_id] : widgetMessagesKey(widget_id, guest_id);
}

/** All query keys of a chat's messages: for a call also those of its transcript. */
function keysOf(chat: NamedChat): (readonly string[])[] {
  const { conference_id } = chat;
  return conference_id === undefined ? [keyOf(chat)] : [keyOf(chat), transcriptKey(conference_id)];
}

/** Refetches the list of chats that shows the newest message of this one. */
function refreshListOf(queries: QueryClient, { group_id, widget_id }: NamedChat): void {
  if (group_id !== undefined) void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
  if (widget_id !== undefined) void queries.invalidateQueries({ queryKey: widgetInboxKey });
}

/** Stores a new, edited or deleted message in every cached list of its chat. */
export function cacheChatMessage(queries: QueryClient, chat: NamedChat, message: ChatMessage): void {
  insertItem(queries, keyOf(chat), message);
  changeChatMessage(queries, chat, message.id, () => message);
}

function changeLast(one: GroupChat, message_id: string, change: (message: ChatMessage) => ChatMessage): GroupChat {
  const { last_message } = one;
  return last_message?.id === message_id ? { ...one, last_message: change(last_message) } : one;
}

/** Changes a message in every cached list of its chat. */
export function changeChatMessage(
  queries: QueryClient,
  chat: NamedChat,
  message_id: string,
  change: (message: ChatMessage) => ChatMessage,
): void {
  for (const key of keysOf(chat)) changeItem<ChatMessage>(queries, key, message_id, change);
  // The list of groups shows the newest message; whether this is still the newest one, the service knows.
  updateCached<GroupChats>(queries, groupChatsQuery.queryKey, (data) =>
    data.items.some(({ last_message }) => last_message?.id === message_id)
      ? { ...data, items: data.items.map((one) => changeLast(one, message_id, change)) }
      : data,
  );
  refreshListOf(queries, chat);
}

/** Shows a group's chat as read immediately. */
export function showGroupRead(
  queries: QueryClient,
  group_id: string,
  unread: Pick<GroupChat, 'unread_count' | 'unread_mentions'>,
): void {
  updateCached<GroupChats>(queries, groupChatsQuery.queryKey, (data) => ({
    ...data,
    items: data.items.map((one) => (one.group.id === group_id ? { ...one, ...unread } : one)),
  }));
}

/** The key of a chat in `in-flight.ts`, from what an event names. */
function nameOf({ join_code, group_id, widget_id = '', guest_id = '' }: NamedChat): string {
  if (join_code !== undefined) return keyOfPlace({ kind: 'call', id: join_code });
  if (group_id !== undefined) return keyOfPlace({ kind: 'group', id: group_id });
  return keyOfPlace({ kind: 'widget', id: widget_id, guest_id });
}

/**
 * Updates the messages of calls, groups and widgets from the stream.
 * @param readerId the owner of the stream: an account or a guest
 */
export function subscribeToMessagesOf(
  stream: RealtimeStream,
  queries: QueryClient,
  readerId: () => string | undefined,
): void {
  const take = ({ data }: { data: NamedChat & { message: ChatMessage } }) => {
    const { message } = data;
    const is_mine = (message.author?.user ?? message.author?.guest)?.id === readerId();
    if (is_mine && message.deleted_at === null && isInFlight(nameOf(data), message.body)) return;
    cacheChatMessage(queries, data, message);
  };
  stream.on('chat.message', take);
  stream.on('chat.deleted', take);
  stream.on('chat.edited', ({ data }) => {
    const { message_id, body, mentions, edited_at } = data;
    changeChatMessage(queries, data, message_id, (one) => ({ ...one, body, mentions: [...mentions], edited_at }));
  });
  stream.on('chat.reaction', ({ data }) => {
    const { message_id, user_id, by_guest_id, emoji } = data;
    const author_id = user_id ?? by_guest_id ?? '';
    for (const key of keysOf(data))
      changeItem<ChatMessage>(queries, key, message_id, (one) => withReaction(one, author_id, emoji));
  });
}

/** Updates cached chats from the stream. */
export function subscribeToChats(stream: RealtimeStream, queries: QueryClient): void {
  subscribeToMessagesOf(stream, queries, () => queries.getQueryData(meQuery.queryKey)?.id);
  stream.on('chat.read', ({ data: { group_id, unread_count, unread_mentions } }) =>
    showGroupRead(queries, group_id, { unread_count, unread_mentions }),
  );
  const refetch = () => void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
  stream.on('chat.settings', refetch);
  stream.on('chat.cleared', ({ data: { group_id, up_to_id } }) => {
    refetch();
    dropClearedLazily(queries, group_id, groupMessagesKey(group_id), up_to_id);
  });
  stream.on('group.updated', refetch);
  stream.on('group.deleted', refetch);
}

/** Refetches everything that the stream would have updated, after lost events. */
export function refetchChats(queries: QueryClient, isKnown?: IsKnown): void {
  for (const key of [['group-chat'], ['widget-chat'], ['call-chat'], ['call-transcript']]) cutLists(queries, key);
  catchUp(
    queries,
    [
      groupChatsQuery.queryKey,
      pinnedKey,
      ['group-chat'],
      ['widget-chat'],
      ['call-chat'],
      ['call-transcript'],
      widgetInboxKey,
    ],
    isKnown,
  );
}
