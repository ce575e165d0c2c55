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
import { nameOfFile } from '../../files/file-text.ts';
import { PendingMark } from '../../chat/bubble/bubble.tsx';
import { showChat, summarise } from '../../chat/chat-message.ts';
import type { Unsent } from '../../chat/unsent.ts';
import { useChangedLast, useNewestUnsent } from '../../chat/use-unsent.ts';
import { useIsOnline } from '../../../data/queries/presence-query.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { MoreMenu } from '../../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { SettingsItems } from '../chat-menu.tsx';
import { ListTime } from '../list-time.tsx';
import type { WidgetChat } from '../widget-chats.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { keyOfEntry, nameOfEntry, settingsOfEntry } from './chat-entries.ts';
import type { ChatEntry } from './chat-entries.ts';

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
function AuthoredPreview({ line, words, mark }: { line: string; words: string; mark?: ReactNode }) {
  const [before, after] = line.split(TEXT_MARK);
  return (
    <span className="said-by" dir={pageDirection()}>
      {mark === undefined ? null : <span className="row-marks">{mark}</span>}
      {before}
      <span className="cut" dir="auto">
        {words}
      </span>
      {after}
    </span>
  );
}

/** A message of the reader that is not sent yet, as one line. */
function UnsentPreview({ unsent: { body, media, files = [], state } }: { unsent: Unsent }) {
  const [local] = files;
  const words =
    body === '' && media.length === 0
      ? nameOfFile(local?.type.split('/')[0])
      : summarise({ body, files: media, deleted: false });
  return (
    <AuthoredPreview
      line={i18n.t('You: {words}', { words: TEXT_MARK })}
      words={words}
      mark={<PendingMark state={state} />}
    />
  );
}

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

/** The unread count, subdued in a muted chat. */
function UnreadBadge({ count, settings }: { count: number; settings: ChatSettings }) {
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
  const { id, peer, unread_count, last_message, created_at, settings } = thread;
  const is_online = useIsOnline(peer.id);
  const unsent = useNewestUnsent({ kind: 'thread', id });
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
        detail={unsent === undefined ? describeLast(thread) : <UnsentPreview unsent={unsent} />}
        at={<RowMarks at={unsent?.written_at ?? last_message?.created_at ?? created_at} settings={settings} />}
        mark={<UnreadBadge count={unread_count} settings={settings} />}
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
  const newest = shown === undefined ? i18n.t('Nothing written yet') : describeLine(shown);
  const unsent = useNewestUnsent({ kind: 'group', id: group.id });
  return (
    <Link
      to="/messages/group/$groupId"
      params={{ groupId: group.id }}
      className={unread_count > 0 ? 'row unread' : 'row'}
    >
      <Row
        picture={<Avatar name={group.name} url={group.avatar_url} />}
        title={group.name}
        detail={unsent === undefined ? newest : <UnsentPreview unsent={unsent} />}
        at={<RowMarks at={unsent?.written_at ?? last_message?.created_at} settings={settings} />}
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
  entry: ChatEntry;
  settings: ChatSettings;
  user_id: string | undefined;
}

/** A chat and the menu of its settings, which a long press on the row opens as well. */
function ChatRow({ entry, settings, user_id }: ChatRowProps) {
  const menu = useMenu();
  const hold = useLongPress(menu.open);
  const chat = entry.kind === 'thread' ? { thread_id: entry.thread.id } : { group_id: keyOfEntry(entry) };
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
      {shown.map((entry) => {
        const settings = settingsOfEntry(entry);
        return settings === undefined ? (
          <li key={keyOfEntry(entry)} className="chat-row">
            {showEntry(entry, user_id)}
          </li>
        ) : (
          <ChatRow key={keyOfEntry(entry)} entry={entry} settings={settings} user_id={user_id} />
        );
      })}
    </>
  );
}
