import type { Thread } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { groupChatsQuery } from '../chat/chat-queries.ts';
import type { GroupChat } from '../chat/chat-queries.ts';
import { showChat, summarise } from '../chat/chat-message.ts';
import { useMe } from '../me/me-query.ts';
import { dmCountQuery, folderKey } from './message-queries.ts';
import type { Folder } from './message-queries.ts';
import { ListTime } from './list-time.tsx';
import { useWidgetChats } from './widget-chats.ts';
import type { WidgetChat } from './widget-chats.ts';

/** The threads of one folder, by their newest messages. */
export function useThreads(folder: Folder) {
  return useList<Thread>({
    queryKey: folderKey(folder),
    load: (query, signal) => sdk.dm.listThreads({ query: { ...query, folder }, signal }),
    // The place of a thread is that of its newest message: by it nothing is skipped when threads move meanwhile.
    cursorOf: ({ last_message, id }) => last_message?.id ?? id,
  });
}

/** The newest message of a thread on one line. */
export function describeLast({ last_message, peer }: Thread): string {
  if (last_message === null) return 'Nothing written yet';
  const { sender, body, media, deleted_at } = last_message;
  const by = sender.id === peer.id ? '' : 'You: ';
  return by + summarise({ body, files: media, deleted: deleted_at !== null });
}

type Entry =
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

const FILTERS = { all: 'All', unread: 'Unread', groups: 'Groups', guests: 'Guests' } as const;
type Filter = keyof typeof FILTERS;

function isShown(entry: Entry, filter: Filter): boolean {
  if (filter === 'unread') return entry.unread > 0;
  if (filter === 'groups') return entry.kind === 'group';
  return filter === 'guests' ? entry.kind === 'widget' : true;
}

function useEntries() {
  const threads = useThreads('main');
  const groups = useQuery(groupChatsQuery);
  const guests = useWidgetChats();
  const entries: Entry[] = [
    ...threads.items.map((thread) => ({
      kind: 'thread' as const,
      at: thread.last_message?.created_at ?? thread.created_at,
      unread: thread.unread_count,
      thread,
    })),
    ...(groups.data?.items ?? []).map((chat) => ({
      kind: 'group' as const,
      at: chat.last_message?.created_at ?? '',
      unread: chat.unread_count,
      chat,
    })),
    ...guests.map((chat) => ({ kind: 'widget' as const, at: chat.at, unread: 0, chat })),
  ];
  entries.sort((one, other) => other.at.localeCompare(one.at));
  return { threads, groups, entries, has_guests: guests.length > 0 };
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'thread') return entry.thread.id;
  return entry.kind === 'group' ? entry.chat.group.id : `${entry.chat.widget_id} ${entry.chat.guest.id}`;
}

function showEntry(entry: Entry, user_id: string | undefined): ReactNode {
  if (entry.kind === 'thread') return <ThreadRow thread={entry.thread} />;
  return entry.kind === 'group' ? <GroupRow chat={entry.chat} user_id={user_id} /> : <WidgetRow chat={entry.chat} />;
}

/** Everybody and every group that the reader writes with, by the newest message. */
export function ChatList() {
  const { threads, groups, entries, has_guests } = useEntries();
  const user_id = useMe()?.id;
  const [filter, setFilter] = useState<Filter>('all');
  const { pending = 0 } = useQuery(dmCountQuery).data ?? {};
  const shown = entries.filter((entry) => isShown(entry, filter));
  const names = (Object.keys(FILTERS) as Filter[]).filter((name) => name !== 'guests' || has_guests);
  const error = threads.error ?? groups.error;
  return (
    <>
      <div className="chips" role="group" aria-label="Show">
        {names.map((name) => (
          <Chip key={name} pressed={filter === name} onClick={() => setFilter(name)}>
            {FILTERS[name]}
          </Chip>
        ))}
        <Link to="/messages/requests" className="chip">
          Requests
          <Badge count={pending} what="waiting" />
        </Link>
      </div>
      <div className="scroll">
        {threads.isPending ? <Skeleton what="Fetching your chats" /> : null}
        {error !== null && entries.length === 0 ? (
          <Failure text={describeProblem(error)} onRetry={() => void threads.refetch()} />
        ) : null}
        {threads.isSuccess && entries.length === 0 ? (
          <EmptyState title="No chats yet" text="Find someone and say hello.">
            <Link to="/people" className="btn primary">
              Find people
            </Link>
          </EmptyState>
        ) : null}
        {entries.length > 0 && shown.length === 0 ? <p className="talk-note">Nothing here.</p> : null}
        <ul>
          {shown.map((entry) => (
            <li key={keyOf(entry)}>{showEntry(entry, user_id)}</li>
          ))}
        </ul>
        <More list={threads} what="chats" />
      </div>
    </>
  );
}
