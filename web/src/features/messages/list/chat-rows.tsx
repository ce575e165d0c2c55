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
import { showChat, summarise } from '../../chat/chat-message.ts';
import { useChangedLast } from '../../chat/use-unsent.ts';
import { useIsOnline } from '../../../data/queries/presence-query.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { MoreMenu } from '../../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { SettingsItems } from '../chat-menu.tsx';
import { ListTime } from '../list-time.tsx';
import type { WidgetChat } from '../widget-chats.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';

/** The newest message of a thread as one line. */
export function describeLast({ last_message, peer }: Thread): ReactNode {
  if (last_message === null) return i18n.t('Nothing written yet');
  const { sender, body, media, deleted_at } = last_message;
  const words = summarise({ body, files: media, deleted: deleted_at !== null });
  return sender.id === peer.id ? (
    words
  ) : (
    <AuthoredPreview line={i18n.t('You: {words}', { words: TEXT_MARK })} words={words} />
  );
}

/** Marks where the message text belongs in a translated line. No name contains it. */
const TEXT_MARK = '\u0000';

/**
 * The author and text of a message. The text keeps its own direction: it is truncated at its end, even when it is read
 * in the other direction than the name before it.
 */
function AuthoredPreview({ line, words }: { line: string; words: string }) {
  const [before, after] = line.split(TEXT_MARK);
  return (
    <span className="said-by" dir={pageDirection()}>
      {before}
      <span className="cut" dir="auto">
        {words}
      </span>
      {after}
    </span>
  );
}

/** A chat of the list, of any kind. */
export type Entry =
  | { kind: 'thread'; at: string; unread: number; thread: Thread }
  | { kind: 'group'; at: string; unread: number; chat: GroupChat }
  | { kind: 'widget'; at: string; unread: number; chat: WidgetChat };

/** The time of a chat's newest message, after the icons of its settings. */
function At({ at, settings }: { at: string | undefined; settings: ChatSettings }) {
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

/** The unread count, subdued in a muted chat. */
function Unread({ count, settings }: { count: number; settings: ChatSettings }) {
  return <Badge count={count} what={i18n.t('not read')} {...(isMuted(settings) ? { tone: 'muted' } : {})} />;
}

/** A mark of unread messages that mention the reader, also in a muted chat. */
function Mentioned({ count }: { count: number }) {
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
  const { id, peer, unread_count, last_message, created_at, settings } = thread;
  const is_online = useIsOnline(peer.id);
  return (
    <Link to="/messages/$threadId" params={{ threadId: id }} className={unread_count > 0 ? 'row unread' : 'row'}>
      <Row
        picture={<Avatar name={peer.username} called={nameOf(peer)} url={peer.avatar_url} is_online={is_online} />}
        title={
          <>
            {nameOf(peer)}
            {is_online ? <span className="visually-hidden"> {i18n.t('Online')}</span> : null}
          </>
        }
        detail={describeLast(thread)}
        at={<At at={last_message?.created_at ?? created_at} settings={settings} />}
        mark={<Unread count={unread_count} settings={settings} />}
      />
    </Link>
  );
}

/** The last message and its author. */
function describeLine(shown: ReturnType<typeof showChat>): ReactNode {
  const words = summarise(shown);
  if (shown.by === undefined) return words;
  const line = shown.mine
    ? i18n.t('You: {words}', { words: TEXT_MARK })
    : i18n.t('{name}: {words}', { name: shown.by.name, words: TEXT_MARK });
  return <AuthoredPreview line={line} words={words} />;
}

function GroupRow({ chat, user_id }: { chat: GroupChat; user_id: string | undefined }) {
  const { group, last_message, unread_count, unread_mentions, settings } = chat;
  const shown = last_message === null ? undefined : showChat(last_message, user_id);
  return (
    <Link
      to="/messages/group/$groupId"
      params={{ groupId: group.id }}
      className={unread_count > 0 ? 'row unread' : 'row'}
    >
      <Row
        picture={<Avatar name={group.name} url={group.avatar_url} />}
        title={group.name}
        detail={shown === undefined ? i18n.t('Nothing written yet') : describeLine(shown)}
        at={<At at={last_message?.created_at} settings={settings} />}
        mark={
          <>
            <Mentioned count={unread_mentions} />
            <Unread count={unread_count} settings={settings} />
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

/** The key of a chat of the list. */
export function keyOf(entry: Entry): string {
  if (entry.kind === 'thread') return entry.thread.id;
  return entry.kind === 'group' ? entry.chat.group.id : `${entry.chat.widget_id} ${entry.chat.guest.id}`;
}

function showEntry(entry: Entry, user_id: string | undefined): ReactNode {
  if (entry.kind === 'thread') return <ThreadRow thread={entry.thread} />;
  return entry.kind === 'group' ? <GroupRow chat={entry.chat} user_id={user_id} /> : <WidgetRow chat={entry.chat} />;
}

/** The name of a chat in the list. */
export function nameOfEntry(entry: Entry): string {
  if (entry.kind === 'thread') return nameOf(entry.thread.peer);
  return entry.kind === 'group' ? entry.chat.group.name : entry.chat.guest.name;
}

/** The reader's settings of a chat; undefined for the chats of widgets, which have none. */
export function settingsOf(entry: Entry): ChatSettings | undefined {
  return entry.kind === 'thread' ? entry.thread.settings : entry.kind === 'group' ? entry.chat.settings : undefined;
}

interface ChatRowProps {
  entry: Entry;
  settings: ChatSettings;
  user_id: string | undefined;
}

/** A chat and the menu of its settings, which a long press on the row opens as well. */
function ChatRow({ entry, settings, user_id }: ChatRowProps) {
  const menu = useMenu();
  const hold = useLongPress(menu.open);
  const chat = entry.kind === 'thread' ? { thread_id: entry.thread.id } : { group_id: keyOf(entry) };
  return (
    <li className="chat-row">
      <div className="chat-row-hold" {...hold}>
        {showEntry(entry, user_id)}
      </div>
      <MoreMenu menu={menu} label={i18n.t('Chat options for {name}', { name: nameOfEntry(entry) })}>
        <SettingsItems chat={chat} settings={settings} />
      </MoreMenu>
    </li>
  );
}

/** The chats with their newest messages as they are with what is not sent yet. */
function useShownEntries(entries: readonly Entry[]): readonly Entry[] {
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
export function ChatRows({ entries, user_id }: { entries: readonly Entry[]; user_id: string | undefined }) {
  const shown = useShownEntries(entries);
  return (
    <>
      {shown.map((entry) => {
        const settings = settingsOf(entry);
        return settings === undefined ? (
          <li key={keyOf(entry)} className="chat-row">
            {showEntry(entry, user_id)}
          </li>
        ) : (
          <ChatRow key={keyOf(entry)} entry={entry} settings={settings} user_id={user_id} />
        );
      })}
    </>
  );
}

/** Pinned chats first, the latest pin before the others; then by the newest message. */
export function compareEntries(one: Entry, other: Entry): number {
  const [mine, theirs] = [settingsOf(one)?.pinned_at ?? '', settingsOf(other)?.pinned_at ?? ''];
  if (mine !== theirs) return theirs.localeCompare(mine);
  return mine === '' ? other.at.localeCompare(one.at) : keyOf(one).localeCompare(keyOf(other));
}
