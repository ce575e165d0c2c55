import type { ChatMessage, RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { changeItem, cutLists, insertItem } from '../../lists.ts';
import { catchUp, changeKept } from '../../queries.ts';
import { meQuery } from '../me/me-query.ts';
import { isMuted } from './chat-settings.ts';
import { isUnderWay } from './under-way.ts';

type GroupChats = Reply<'home', 'listHomeGroupChats'>;
export type GroupChat = GroupChats['items'][number];

const MOST_GROUPS = 100;

/** The chats of the reader's groups, latest first, with what they have not read. */
export const groupChatsQuery = queryOptions({
  queryKey: ['group-chats'],
  queryFn: ({ signal }) => sdk.home.listHomeGroupChats({ query: { limit: MOST_GROUPS }, signal }),
  staleTime: 60_000,
});

/** Those of them that the reader has put away. */
export const archivedGroupsQuery = queryOptions({
  queryKey: [...groupChatsQuery.queryKey, 'archived'],
  queryFn: ({ signal }) => sdk.home.listHomeGroupChats({ query: { limit: MOST_GROUPS, archived: true }, signal }),
  staleTime: 60_000,
});

export const groupMessagesKey = (group_id: string) => ['group-chat', group_id] as const;
export const widgetMessagesKey = (widget_id: string, guest_id: string) => ['widget-chat', widget_id, guest_id] as const;
/** The latest messages of all guests of a widget. */
export const widgetInboxKey = ['widget-inbox'] as const;

/** How many messages of groups the reader has not read, without those that are muted. */
export const countUnreadOf = ({ items }: GroupChats): number =>
  items.reduce((sum, { unread_count, settings }) => sum + (isMuted(settings) ? 0 : unread_count), 0);

/** A message with another reaction of somebody, or with none of theirs. */
export function withReaction<T extends { reactions: ChatMessage['reactions'] }>(
  message: T,
  user_id: string,
  emoji: string | null,
): T {
  const at = message.reactions.findIndex((one) => one.user_id === user_id);
  const reactions =
    emoji === null
      ? message.reactions.filter((one) => one.user_id !== user_id)
      : at === -1
        ? [...message.reactions, { emoji, user_id }]
        : message.reactions.with(at, { emoji, user_id });
  return { ...message, reactions };
}

/** Keeps a group's message that is new or was deleted, wherever it is shown. */
export function keepGroupMessage(queries: QueryClient, group_id: string, message: ChatMessage): void {
  insertItem(queries, groupMessagesKey(group_id), message);
  changeItem<ChatMessage>(queries, groupMessagesKey(group_id), message.id, () => message);
  void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
}

/** Keeps a widget's message that is new or was deleted. A notice without a guest stands in every conversation. */
export function keepWidgetMessage(
  queries: QueryClient,
  widget_id: string,
  guest_id: string | undefined,
  message: ChatMessage,
): void {
  const key = guest_id === undefined ? ['widget-chat', widget_id] : widgetMessagesKey(widget_id, guest_id);
  insertItem(queries, key, message);
  changeItem<ChatMessage>(queries, key, message.id, () => message);
  void queries.invalidateQueries({ queryKey: widgetInboxKey });
}

/** Shows at once that a group's chat is read. */
export function showGroupRead(queries: QueryClient, group_id: string, unread_count: number): void {
  changeKept<GroupChats>(queries, groupChatsQuery.queryKey, (data) => ({
    ...data,
    items: data.items.map((one) => (one.group.id === group_id ? { ...one, unread_count } : one)),
  }));
}

/** Keeps what pages show of the chats of groups and widgets as fresh as the stream. */
export function followChats(stream: RealtimeStream, queries: QueryClient): void {
  const take = ({
    data,
  }: {
    data: { group_id?: string; widget_id?: string; guest_id?: string; message: ChatMessage };
  }) => {
    const { group_id, widget_id, guest_id, message } = data;
    const is_mine = message.author?.user?.id === queries.getQueryData(meQuery.queryKey)?.id;
    const place = group_id === undefined ? `widget ${widget_id ?? ''} ${guest_id ?? ''}` : `group ${group_id}`;
    if (is_mine && message.deleted_at === null && isUnderWay(place, message.body)) return;
    if (group_id !== undefined) keepGroupMessage(queries, group_id, message);
    if (widget_id !== undefined) keepWidgetMessage(queries, widget_id, guest_id, message);
  };
  stream.on('chat.message', take);
  stream.on('chat.deleted', take);
  stream.on('chat.edited', ({ data: { group_id, message_id, body, edited_at } }) => {
    changeItem<ChatMessage>(queries, groupMessagesKey(group_id), message_id, (one) => ({ ...one, body, edited_at }));
    void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
  });
  stream.on('chat.reaction', ({ data: { group_id, message_id, user_id, emoji } }) =>
    changeItem<ChatMessage>(queries, groupMessagesKey(group_id), message_id, (one) =>
      withReaction(one, user_id, emoji),
    ),
  );
  stream.on('chat.read', ({ data }) => showGroupRead(queries, data.group_id, data.unread_count));
  const refetch = () => void queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
  stream.on('chat.settings', refetch);
  stream.on('group.updated', refetch);
  stream.on('group.deleted', refetch);
}

/** Fetches again whatever the stream would have told, because it could not. */
export function refetchChats(queries: QueryClient): void {
  for (const key of [['group-chat'], ['widget-chat']]) cutLists(queries, key);
  catchUp(queries, [groupChatsQuery.queryKey, ['group-chat'], ['widget-chat'], widgetInboxKey]);
}
