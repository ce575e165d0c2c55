import type { Thread } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Row } from '../../ui/row.tsx';
import type { GroupChat } from '../chat/chat-queries.ts';
import { showChat, summarise } from '../chat/chat-message.ts';
import { ListTime } from './list-time.tsx';
import type { WidgetChat } from './widget-chats.ts';

/** The newest message of a thread on one line. */
export function describeLast({ last_message, peer }: Thread): string {
  if (last_message === null) return 'Nothing written yet';
  const { sender, body, media, deleted_at } = last_message;
  const by = sender.id === peer.id ? '' : 'You: ';
  return by + summarise({ body, files: media, deleted: deleted_at !== null });
}

/** A chat of the list, of whichever kind. */
export type Entry =
  | { kind: 'thread'; at: string; unread: number; thread: Thread }
  | { kind: 'group'; at: string; unread: number; chat: GroupChat }
  | { kind: 'widget'; at: string; unread: number; chat: WidgetChat };

function ThreadRow({ thread }: { thread: Thread }) {
  const { id, peer, unread_count, last_message, created_at } = thread;
  return (
    <Link to="/messages/$threadId" params={{ threadId: id }} className={unread_count > 0 ? 'row unread' : 'row'}>
      <Row
        picture={<Avatar name={peer.username} url={peer.avatar_url} />}
        title={nameOf(peer)}
        detail={describeLast(thread)}
        at={<ListTime at={last_message?.created_at ?? created_at} />}
        end={<Badge count={unread_count} what="not read" />}
      />
    </Link>
  );
}

function GroupRow({ chat, user_id }: { chat: GroupChat; user_id: string | undefined }) {
  const { group, last_message, unread_count } = chat;
  const shown = last_message === null ? undefined : showChat(last_message, user_id);
  const by = shown?.by === undefined ? '' : `${shown.mine ? 'You' : shown.by.name}: `;
  return (
    <Link
      to="/messages/group/$groupId"
      params={{ groupId: group.id }}
      className={unread_count > 0 ? 'row unread' : 'row'}
    >
      <Row
        picture={<Avatar name={group.name} url={group.avatar_url} />}
        title={group.name}
        detail={shown === undefined ? 'Nothing written yet' : by + summarise(shown)}
        at={last_message === null ? null : <ListTime at={last_message.created_at} />}
        end={<Badge count={unread_count} what="not read" />}
      />
    </Link>
  );
}

function WidgetRow({ chat }: { chat: WidgetChat }) {
  return (
    <Link
      to="/messages/widget/$widgetId/$guestId"
      params={{ widgetId: chat.widget_id, guestId: chat.guest.id }}
      className="row"
    >
      <Row
        picture={<Avatar name={chat.guest.name} />}
        title={chat.guest.name}
        detail={`${chat.title}: ${chat.last}`}
        at={<ListTime at={chat.at} />}
      />
    </Link>
  );
}

/** One name for a chat of the list. */
export function keyOf(entry: Entry): string {
  if (entry.kind === 'thread') return entry.thread.id;
  return entry.kind === 'group' ? entry.chat.group.id : `${entry.chat.widget_id} ${entry.chat.guest.id}`;
}

/** The row of a chat. */
export function showEntry(entry: Entry, user_id: string | undefined): ReactNode {
  if (entry.kind === 'thread') return <ThreadRow thread={entry.thread} />;
  return entry.kind === 'group' ? <GroupRow chat={entry.chat} user_id={user_id} /> : <WidgetRow chat={entry.chat} />;
}

/** How a chat is called in the list. */
export function nameOfEntry(entry: Entry): string {
  if (entry.kind === 'thread') return nameOf(entry.thread.peer);
  return entry.kind === 'group' ? entry.chat.group.name : entry.chat.guest.name;
}
