/** What a row of the list of chats says of a chat: who is typing, a draft, or its newest message. */
import type { Thread } from '@asterism/sdk';
import { Paperclip, Reply } from 'lucide-react';
import type { ReactNode } from 'react';
import { countFiles } from '../../../i18n/file-count.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { useShownPath } from '../../../ui/hooks/use-shown-path.ts';
import { PendingMark, Ticks } from '../../chat/bubble/bubble.tsx';
import { deliveryOf, showChat } from '../../chat/chat-message.ts';
import { excerptOf } from '../../chat/formatting/excerpt.ts';
import type { GroupChat } from '../../chat/chat-queries.ts';
import { useWaitingDraft } from '../../chat/composer/use-draft.ts';
import type { WaitingDraft } from '../../chat/composer/use-draft.ts';
import { describeTypists, useTypists } from '../../chat/typing-line.tsx';
import type { Unsent } from '../../chat/unsent.ts';
import { nameOfFile } from '../../files/file-text.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { useTyping } from '../use-typing.ts';

/** Marks where the text of a message belongs in a translated line. No name contains it. */
const TEXT_MARK = '\u0000';

interface PreviewProps {
  /** The translated line, with a mark in place of the words. */
  line: string;
  words: string;
  /** Whether a sent message has arrived. */
  mark?: ReactNode;
}

/**
 * The author and text of a message. The text keeps its own direction: it is truncated at its end, even when it is read
 * in the other direction than the name before it.
 */
function AuthoredPreview({ line, words, mark }: PreviewProps) {
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

/** That there are no messages, or none since the reader has cleared them. */
const describeNothing = (cleared_up_to: string | null) =>
  cleared_up_to === null ? i18n.t('Nothing written yet') : i18n.t('No messages');

/** The newest message of a thread as one line. */
export function describeLast({ last_message, peer, cleared_up_to, ...marks }: Thread): ReactNode {
  if (last_message === null) return describeNothing(cleared_up_to);
  const { id, sender, body, media, deleted_at } = last_message;
  const words = excerptOf({ body, files: media, deleted: deleted_at !== null });
  if (sender.id === peer.id) return words;
  const mark = deleted_at === null ? <Ticks delivery={deliveryOf(id, marks)} /> : undefined;
  return <AuthoredPreview line={i18n.t('You: {words}', { words: TEXT_MARK })} words={words} mark={mark} />;
}

/** The newest message of a group as one line, with its author. */
function describeGroup({ last_message, cleared_up_to }: GroupChat, user_id: string | undefined): ReactNode {
  if (last_message === null) return describeNothing(cleared_up_to);
  const shown = showChat(last_message, user_id);
  const words = excerptOf(shown);
  if (shown.by === undefined) return words;
  const line = shown.mine
    ? i18n.t('You: {words}', { words: TEXT_MARK })
    : i18n.t('{name}: {words}', { name: shown.by.name, words: TEXT_MARK });
  return <AuthoredPreview line={line} words={words} />;
}

/** A file of this device: what it is, or its name if it is a document. */
function nameLocal(file: LocalFile | undefined): string {
  const kind = file?.type.split('/')[0];
  const is_medium = kind === 'image' || kind === 'audio' || kind === 'video';
  return is_medium || file === undefined ? nameOfFile(kind) : file.name;
}

/** A message of the reader that is not sent yet, as one line. */
function UnsentPreview({ unsent: { body, media, files = [], state } }: { unsent: Unsent }) {
  const [local] = files;
  const words =
    body === '' && media.length === 0 ? nameLocal(local) : excerptOf({ body, files: media, deleted: false });
  return (
    <AuthoredPreview
      line={i18n.t('You: {words}', { words: TEXT_MARK })}
      words={words}
      mark={<PendingMark state={state} />}
    />
  );
}

/** What a draft consists of: its text, or else its files, or else the message that it replies to. */
function describeDraft({ text, files, reply }: WaitingDraft): { sign: ReactNode; words: string } | undefined {
  const [first] = files;
  const sign =
    first !== undefined ? (
      <Paperclip aria-hidden="true" size={14} />
    ) : reply !== undefined ? (
      <Reply aria-hidden="true" size={14} />
    ) : null;
  if (text !== '') return { sign, words: text };
  if (first !== undefined) {
    if (files.length > 1) return { sign, words: countFiles(files.length, undefined) };
    return { sign, words: nameLocal(first) };
  }
  return reply === undefined ? undefined : { sign, words: excerptOf(reply) };
}

/** What waits in the composer. */
function DraftPreview({ sign, words }: { sign: ReactNode; words: string }) {
  const [before, after] = i18n.t('Draft: {words}', { words: TEXT_MARK }).split(TEXT_MARK);
  return (
    <span className="said-by" dir={pageDirection()}>
      <span className="now">{before}</span>
      {sign === null ? null : <span className="row-marks">{sign}</span>}
      <span className="cut" dir="auto">
        {words}
      </span>
      {after}
    </span>
  );
}

interface LineProps {
  /** The place of the chat, as its draft is stored. */
  place: string;
  /** The address of the chat in the client. */
  path: string;
  unread_count: number;
  unsent: Unsent | undefined;
  /** That somebody is typing; undefined when nobody is. */
  typing: string | undefined;
  newest: ReactNode;
}

/** The most important of what there is to say: unread messages are before a draft, which the open chat shows itself. */
function ChatLine({ place, path, unread_count, unsent, typing, newest }: LineProps) {
  const draft = describeDraft(useWaitingDraft(place));
  const is_open = useShownPath() === path;
  if (typing !== undefined) return <span className="now">{typing}</span>;
  if (unsent !== undefined) return <UnsentPreview unsent={unsent} />;
  return draft === undefined || is_open || unread_count > 0 ? newest : <DraftPreview {...draft} />;
}

/** The second line of a thread in the list of chats. */
export function ThreadLine({ thread, unsent }: { thread: Thread; unsent: Unsent | undefined }) {
  const { id, unread_count, last_message } = thread;
  const is_writing = useTyping(id, last_message?.id);
  return (
    <ChatLine
      place={`thread ${id}`}
      path={`/messages/${id}`}
      typing={is_writing ? i18n.t('typing…') : undefined}
      newest={describeLast(thread)}
      {...{ unread_count, unsent }}
    />
  );
}

interface GroupLineProps {
  chat: GroupChat;
  unsent: Unsent | undefined;
  user_id: string | undefined;
}

/** The second line of the chat of a group in the list of chats. */
export function GroupLine({ chat, unsent, user_id }: GroupLineProps) {
  const { group, last_message, unread_count } = chat;
  const names = useTypists({ group_id: group.id }, user_id, last_message ?? undefined);
  return (
    <ChatLine
      place={`group ${group.id}`}
      path={`/messages/group/${group.id}`}
      typing={describeTypists(names)}
      newest={describeGroup(chat, user_id)}
      {...{ unread_count, unsent }}
    />
  );
}
