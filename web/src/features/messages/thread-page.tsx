import type { DirectMessage, Thread } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { showDirect } from '../chat/chat-message.ts';
import type { ChatPlace } from '../chat/chat-place.ts';
import type { Outbox } from '../chat/outbox.ts';
import { Composer, MAX_MESSAGE_FILES } from '../chat/composer/composer.tsx';
import { MessageList } from '../chat/list/message-list.tsx';
import { TypingLine } from '../chat/typing-line.tsx';
import { ChatTop } from '../chat/selection/selection-bar.tsx';
import type { ChatStart } from '../chat/chat-place.ts';
import { useChat } from '../chat/use-chat.ts';
import { useMessages } from '../chat/use-messages.ts';
import { useUnreadStart } from '../chat/list/use-unread-start.ts';
import { useMarkRead } from '../chat/use-mark-read.ts';
import { useIsOnline } from '../../data/queries/presence-query.ts';
import { useFocus } from '../../data/stream.ts';
import { SendLater } from '../scheduled/send-later.tsx';
import { laterTextOf } from '../scheduled/later-text.ts';
import { useLastSeen } from './details/last-seen-query.ts';
import { CallButtons, ChatError, ChatHeader, ChatLoading } from './chat-header.tsx';
import { PlainMenu, useChatMenu } from './chat-menu.tsx';
import { useRead } from './message-mutations.ts';
import { threadMessages } from './list/chat-messages.ts';
import { RequestButtons } from './list/request-buttons.tsx';
import { useIsMePending } from '../../data/queries/me-query.ts';
import { isRequest, threadQuery } from '../../data/queries/message-queries.ts';
import { useMessagesWithCalls } from './thread-calls.ts';
import { PinnedBar } from './pins/pinned-bar.tsx';
import { useClearMark } from './use-clear-mark.ts';
import { useMessageActions } from './use-message-actions.tsx';
import { useTyping } from './use-typing.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

function Head({ thread }: { thread: Thread }) {
  const { peer } = thread;
  const name = nameOf(peer);
  const is_online = useIsOnline(peer.id) && !thread.peer_gone;
  const last_seen = useLastSeen(peer.id, is_online);
  const menu = useChatMenu({ thread_id: thread.id }, thread.settings, isRequest(thread) ? undefined : name);
  useClearMark({ thread_id: thread.id }, thread.settings);
  return (
    <ChatHeader
      back={isRequest(thread) ? '/messages/requests' : '/messages'}
      title={name}
      detail={
        thread.peer_gone
          ? i18n.t('This account was deleted')
          : is_online
            ? i18n.t('Online')
            : (last_seen ?? `@${peer.username}`)
      }
      picture={<Avatar name={peer.username} called={name} url={peer.avatar_url} size_px={38} is_online={is_online} />}
      about={thread.peer_gone ? undefined : { to: '/u/$userId', params: { userId: peer.id } }}
    >
      {thread.peer_gone ? null : (
        <>
          <CallButtons target={{ user_id: peer.id }} name={name} audio_label={i18n.t('Call {name}', { name })} />
          <PersonMenu person={peer} at="chat" first={menu.items} />
        </>
      )}
      {thread.peer_gone ? <PlainMenu label={i18n.t('More about {name}', { name })}>{menu.items}</PlainMenu> : null}
      {menu.sheet}
    </ChatHeader>
  );
}

/** A message request, with the buttons that accept and decline it. */
function Request({ thread }: { thread: Thread }) {
  return (
    <section className="talk-ask" aria-label={i18n.t('Request')}>
      <p>
        <RichMessage
          text={i18n.t(
            '<name>{name}</name> sent you a message request. They won’t see whether you have read it. Reply to accept.',
            { name: nameOf(thread.peer) },
          )}
          parts={{ name: (words) => <strong dir="auto">{words}</strong> }}
        />
      </p>
      <div className="cluster">
        <RequestButtons thread={thread} />
      </div>
    </section>
  );
}

/** Whether a message was written, also if the reader has cleared it. */
const hasWritten = ({ last_message, cleared_up_to }: Thread) => last_message !== null || cleared_up_to !== null;

/** Why the reader cannot write now; undefined when they can. */
function describeRest(thread: Thread): string | undefined {
  if (thread.peer_gone) return i18n.t('This account was deleted. What was written stays for you.');
  if (thread.state === 'pending' && thread.initiated_by_me && hasWritten(thread))
    return i18n.t('Your message is waiting. You can write more once {name} answers.', { name: nameOf(thread.peer) });
  return undefined;
}

/** A hint before the first message. */
function describeStart(thread: Thread): string | undefined {
  if (thread.state === 'declined') return i18n.t('You declined this request. If you write, the chat is open again.');
  if (thread.state === 'pending' && thread.initiated_by_me)
    return i18n.t('You don’t know each other yet: you can send one message, without files, until it is answered.');
  return undefined;
}

interface WritingProps {
  thread: Thread;
  place: ChatPlace;
  outbox: Outbox | undefined;
  writing: Parameters<typeof Composer>[0]['writing'];
  onEditNewest: () => void;
}

function Writing({ thread, place, outbox, writing, onEditNewest }: WritingProps) {
  const rest = describeRest(thread);
  const start = describeStart(thread);
  if (rest !== undefined) return <p className="talk-note">{rest}</p>;
  const is_open = thread.state !== 'pending' || !thread.initiated_by_me;
  return (
    <>
      {start === undefined ? null : <p className="talk-note">{start}</p>}
      <Composer
        place={place}
        outbox={outbox}
        hint={i18n.t('Message {name}', { name: nameOf(thread.peer) })}
        drop_hint={i18n.t('Drop files to send to {name}', { name: nameOf(thread.peer) })}
        max_files={is_open ? MAX_MESSAGE_FILES : 0}
        writing={writing}
        onEditNewest={onEditNewest}
        extra={(text, clear) =>
          is_open ? <SendLater read={() => laterTextOf(text, { user_id: thread.peer.id })} onScheduled={clear} /> : null
        }
        onTyping={() => {
          // A lost typing event does no harm.
          if (is_open) sdk.dm.setThreadTyping({ path: { thread_id: thread.id } }).catch(() => undefined);
        }}
      />
    </>
  );
}

interface ChatProps {
  thread: Thread;
  is_counted: boolean;
  search: ChatStart;
}

function Chat({ thread, is_counted, search }: ChatProps) {
  const { id, peer, unread_count, read_up_to, peer_read_up_to, peer_delivered_up_to } = thread;
  const place = useMemo(() => ({ kind: 'thread' as const, id }), [id]);
  const navigate = useNavigate();
  const enter = (start: ChatStart) =>
    navigate({ to: '/messages/$threadId', params: { threadId: id }, search: start, replace: true });
  const { at } = search;
  const onStart = (message_id: string) => enter({ after: message_id });
  const after = useUnreadStart({ kind: 'thread', search, unread_count, is_counted, read_up_to, onStart });
  const list = useMessages<DirectMessage>({
    ...threadMessages(id),
    at: at ?? after,
  });
  const newest = list.items[0];
  const is_writing = useTyping(id, newest?.id);
  const onSeen = useMarkRead(unread_count > 0, useRead({ thread_id: id }).mutate);
  const sent = useMemo(
    () => list.items.map((one) => showDirect(one, peer.id, { peer_read_up_to, peer_delivered_up_to })),
    [list.items, peer.id, peer_read_up_to, peer_delivered_up_to],
  );
  const { messages, outbox, shown } = useChat({ place, list, sent, at, after, unread_count, enter });
  const with_calls = useMessagesWithCalls(messages, list, { id: peer.id, is_gone: thread.peer_gone });
  const is_active = thread.state === 'active' && !thread.peer_gone;
  const { rows, dialog, writing, several, editNewest } = useMessageActions({
    place,
    is_open: is_active,
    may_report: true,
    may_select: true,
    chat: { thread_id: id },
    may_pin: is_active,
    readers: 'both of you',
  });
  return (
    <>
      <ChatTop {...several} messages={messages}>
        <Head thread={thread} />
      </ChatTop>
      <MessageList
        key={at ?? after ?? 'latest'}
        {...shown}
        messages={with_calls}
        is_counted={is_counted}
        onSeen={onSeen}
        label={i18n.t('Messages with {name}', { name: nameOf(peer) })}
        {...rows}
        above={(goTo) => <PinnedBar chat={{ thread_id: id }} may_pin={is_active} goTo={goTo} />}
        empty={
          thread.cleared_up_to === null
            ? i18n.t('Nothing has been written yet. Say hello to {name}.', { name: nameOf(peer) })
            : i18n.t('You have cleared this chat. New messages appear here.')
        }
      />
      <TypingLine names={is_writing ? [nameOf(peer)] : []} />
      {isRequest(thread) && thread.last_message !== null ? <Request thread={thread} /> : null}
      <Writing
        thread={thread}
        place={place}
        outbox={outbox}
        writing={writing}
        onEditNewest={() => editNewest(messages)}
      />
      {dialog}
    </>
  );
}

/** The thread with another person. */
export function ThreadPage() {
  const { threadId } = useParams({ from: '/signed-in/messaging/messages/$threadId' });
  const search = useSearch({ from: '/signed-in/messaging/messages/$threadId' });
  const thread = useQuery(threadQuery(threadId));
  useFocus('thread', threadId);
  const is_me_pending = useIsMePending();
  if (thread.isPending || is_me_pending) return <ChatLoading what={i18n.t('Loading the messages')} />;
  if (thread.data === undefined) {
    return (
      <ChatError
        error={thread.error}
        onRetry={() => void thread.refetch()}
        text={i18n.t('You have deleted it, one of you may have blocked the other, or the account is gone.')}
      />
    );
  }
  return <Chat key={threadId} thread={thread.data} is_counted={!thread.isFetching} search={search} />;
}
