import type { Thread } from '@asterism/sdk';
import { nameOf } from '../../../ui/avatar.tsx';
import type { GroupChat } from '../../chat/chat-queries.ts';
import type { ChatSettings } from '../../../data/chat-settings.ts';
import { compareChats } from './compare-chats.ts';
import type { WidgetChat } from '../widget-chats.ts';

/** A chat of the list, of any kind. */
export type ChatEntry =
  | { kind: 'thread'; at: string; unread: number; thread: Thread }
  | { kind: 'group'; at: string; unread: number; chat: GroupChat }
  | { kind: 'widget'; at: string; unread: number; chat: WidgetChat };

/** A chat with settings and a read position. */
export type OwnChatEntry = Exclude<ChatEntry, { kind: 'widget' }>;

/** The key of a chat of the list. */
export function keyOfEntry(entry: ChatEntry): string {
  if (entry.kind === 'thread') return entry.thread.id;
  return entry.kind === 'group' ? entry.chat.group.id : `${entry.chat.widget_id} ${entry.chat.guest.id}`;
}

/** The name of a chat in the list. */
export function nameOfEntry(entry: ChatEntry): string {
  if (entry.kind === 'thread') return nameOf(entry.thread.peer);
  return entry.kind === 'group' ? entry.chat.group.name : entry.chat.guest.name;
}

/** The reader's settings of a chat; undefined for the chats of widgets, which have none. */
export function settingsOfEntry(entry: ChatEntry): ChatSettings | undefined {
  return entry.kind === 'thread' ? entry.thread.settings : entry.kind === 'group' ? entry.chat.settings : undefined;
}

/** The order of the list: {@link compareChats}. */
export function compareEntries(one: ChatEntry, other: ChatEntry): number {
  const rankOf = (entry: ChatEntry) => ({
    key: keyOfEntry(entry),
    at: entry.at,
    pinned_at: settingsOfEntry(entry)?.pinned_at ?? '',
  });
  return compareChats(rankOf(one), rankOf(other));
}
