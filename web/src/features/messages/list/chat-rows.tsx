import type { Thread } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { AtSign, BellOff, Pin } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Row } from '../../../ui/row.tsx';
import type { GroupChat } from '../../chat/chat-queries.ts';
import { isMuted } from '../../../data/chat-settings.ts';
import type { ChatSettings } from '../../../data/chat-settings.ts';
import { useChangedLast, useNewestUnsent } from '../../chat/use-unsent.ts';
import { useIsOnline } from '../../../data/queries/presence-query.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { MoreMenu } from '../../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { isRequest } from '../../../data/queries/message-queries.ts';
import { SettingsItems } from '../chat-menu.tsx';
import { useClearing } from '../clearing/use-clearing.tsx';
import { ReadItem } from './read-item.tsx';
import { ListTime } from '../list-time.tsx';
import type { WidgetChat } from '../widget-chats.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { keyOfEntry, nameOfEntry } from './chat-entries.ts';
import type { ChatEntry, OwnChatEntry } from './chat-entries.ts';
import { GroupLine, ThreadLine } from './chat-lines.tsx';

/** The time of a chat's newest message, after the icons of its settings. */
function RowMarks({ at, settings }: { at: string | undefined; settings: ChatSettings }) {
  return (
    <span className="row-marks">
      {isMuted(settings) ? (
        <>
          <BellOff aria-hidden="true" size={14} />
          <span className="visually-hidden">{i18n.t('Muted')}</span>
        </>
      ) : null}
      {settings.pinned ? (
        <>
          <Pin aria-hidden="true" size={14} />
          <span className="visually-hidden">{i18n.t('Pinned')}</span>
        </>
      ) : null}
      {at === undefined ? null : <ListTime at={at} />}
    </span>
  );
}

/** Whether a chat has unread messages, or the reader has marked it as unread. */
const isUnread = ({ unread_count, settings }: Pick<Thread, 'unread_count' | 'settings'>): boolean =>
  unread_count > 0 || settings.marked_unread;

/** The unread count, subdued in a muted chat; a dot in one that is only marked as unread. */
function UnreadBadge({ count, settings }: { count: number; settings: ChatSettings }) {
  if (count === 0 && settings.marked_unread)
    return (
      <span className={isMuted(settings) ? 'badge dot muted' : 'badge dot'}>
        <span className="visually-hidden">{i18n.t('Marked as unread')}</span>
      </span>
    );
  return <Badge count={count} what={i18n.t('not read')} {...(isMuted(settings) ? { tone: 'muted' } : {})} />;
}

/** A mark of unread messages that mention the reader, also in a muted chat. */
function MentionBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge">
      <AtSign aria-hidden="true" size={12} strokeWidth={2.75} />
      <span className="visually-hidden">
        {i18n.t('{count, plural, one {# mention of you} other {# mentions of you}}', { count })}
      </span>
    </span>
  );
}

function ThreadRow({ thread }: { thread: Thread }) {
  const { id, peer, unread_count, last_message, active_at, settings } = thread;
  const is_online = useIsOnline(peer.id);
  const unsent = useNewestUnsent({ kind: 'thread', id });
  return (
    <Link to="/messages/$threadId" params={{ threadId: id }} className={isUnread(thread) ? 'row unread' : 'row'}>
      <Row
        picture={<Avatar name={peer.username} called={nameOf(peer)} url={peer.avatar_url} is_online={is_online} />}
        title={
          <>
            {nameOf(peer)}
            {is_online ? <span className="visually-hidden"> {i18n.t('Online')}</span> : null}
          </>
        }
        detail={<ThreadLine thread={thread} unsent={unsent} />}
        at={<RowMarks at={unsent?.written_at ?? last_message?.created_at ?? active_at} settings={settings} />}
        mark={<UnreadBadge count={unread_count} settings={settings} />}
      />
    </Link>
  );
}

function GroupRow({ chat, user_id }: { chat: GroupChat; user_id: string | undefined }) {
  const { group, last_message, unread_count, unread_mentions, settings } = chat;
  const unsent = useNewestUnsent({ kind: 'group', id: group.id });
  return (
    <Link
      to="/messages/group/$groupId"
      params={{ groupId: group.id }}
      className={isUnread(chat) ? 'row unread' : 'row'}
    >
      <Row
        picture={<Avatar name={group.name} url={group.avatar_url} />}
        title={group.name}
        detail={<GroupLine chat={chat} unsent={unsent} user_id={user_id} />}
        at={
          <RowMarks
            at={unsent?.written_at ?? last_message?.created_at ?? chat.active_at ?? undefined}
            settings={settings}
          />
        }
        mark={
          <>
            <MentionBadge count={unread_mentions} />
            <UnreadBadge count={unread_count} settings={settings} />
          </>
        }
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

function showEntry(entry: ChatEntry, user_id: string | undefined): ReactNode {
  if (entry.kind === 'thread') return <ThreadRow thread={entry.thread} />;
  return entry.kind === 'group' ? <GroupRow chat={entry.chat} user_id={user_id} /> : <WidgetRow chat={entry.chat} />;
}

interface ChatRowProps {
  entry: OwnChatEntry;
  user_id: string | undefined;
}

/** A chat and the menu of its settings, which a long press on the row opens as well. */
function ChatRow({ entry, user_id }: ChatRowProps) {
  const { settings } = entry.kind === 'thread' ? entry.thread : entry.chat;
  const menu = useMenu();
  const hold = useLongPress(menu.open);
  const chat = entry.kind === 'thread' ? { thread_id: entry.thread.id } : { group_id: keyOfEntry(entry) };
  const may_clear = entry.kind === 'group' || !isRequest(entry.thread);
  const clearing = useClearing(may_clear ? { chat, name: nameOfEntry(entry) } : undefined);
  return (
    <li className="chat-row">
      <div className="chat-row-hold" {...hold}>
        {showEntry(entry, user_id)}
      </div>
      <MoreMenu menu={menu} label={i18n.t('Chat options for {name}', { name: nameOfEntry(entry) })}>
        <ReadItem entry={entry} settings={settings} />
        <SettingsItems chat={chat} settings={settings} />
        {clearing.items(menu.trigger.ref)}
      </MoreMenu>
      {clearing.dialog}
    </li>
  );
}

/** The chats with their newest messages as they are with what is not sent yet. */
function useShownEntries(entries: readonly ChatEntry[]): readonly ChatEntry[] {
  const change = useChangedLast();
  return entries.map((entry) => {
    if (entry.kind === 'widget') return entry;
    if (entry.kind === 'thread') {
      const last_message = change(entry.thread.last_message);
      return last_message === entry.thread.last_message
        ? entry
        : { ...entry, thread: { ...entry.thread, last_message } };
    }
    const last_message = change(entry.chat.last_message);
    return last_message === entry.chat.last_message ? entry : { ...entry, chat: { ...entry.chat, last_message } };
  });
}

/** The chats of a list, each with the menu of its settings. */
export function ChatRows({ entries, user_id }: { entries: readonly ChatEntry[]; user_id: string | undefined }) {
  const shown = useShownEntries(entries);
  return (
    <>
      {shown.map((entry) =>
        entry.kind === 'widget' ? (
          <li key={keyOfEntry(entry)} className="chat-row">
            {showEntry(entry, user_id)}
          </li>
        ) : (
          <ChatRow key={keyOfEntry(entry)} entry={entry} user_id={user_id} />
        ),
      )}
    </>
  );
}
