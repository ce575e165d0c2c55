import { Link } from '@tanstack/react-router';
import { Mail, MailOpen, MessageSquare, Mic, Phone, PhoneMissed, Trash2, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { Player } from '../files/player.tsx';
import { useDeleteInboxMessage, useMarkInboxMessage, type Message } from './inbox-mutations.ts';
import { inboxKey } from '../../data/queries/inbox-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import '../notifications/notifications.css';
import './inbox.css';

const ICONS: Readonly<Record<Message['kind'], LucideIcon>> = {
  missed_call: PhoneMissed,
  voicemail: Mic,
  videomail: Video,
  text: MessageSquare,
  system: Mail,
};

/** The kind of an entry as a sentence that contains the person's name. */
function describeMessage(kind: Message['kind'], name: string): string {
  switch (kind) {
    case 'missed_call':
      return i18n.t('<name>{name}</name> called you', { name });
    case 'voicemail':
      return i18n.t('<name>{name}</name> left you a voicemail', { name });
    case 'videomail':
      return i18n.t('<name>{name}</name> sent you a videomail', { name });
    default:
      return i18n.t('<name>{name}</name> wrote', { name });
  }
}

/** Ways to respond: calling back, and a message. */
function ResponseActions({ message }: { message: Message }) {
  const call = useStartCall();
  const { user } = message.from;
  if (user === null) return null;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-disabled={call.isPending}
        onClick={() => {
          if (!call.isPending) call.mutate([{ user_id: user.id }]);
        }}
      >
        <Phone aria-hidden="true" />
        {i18n.t('Call back')}
        <span className="visually-hidden"> {message.from.name}</span>
      </button>
      <Link
        to="/videomail/$handle"
        params={{ handle: user.username }}
        className="button quiet"
        aria-label={i18n.t('Reply to {name} with a videomail', { name: message.from.name })}
      >
        <Video aria-hidden="true" />
        {i18n.t('Reply')}
      </Link>
    </>
  );
}

function InboxItem({ message }: { message: Message }) {
  const { kind, from, read } = message;
  const Icon = ICONS[kind];
  const mark = useMarkInboxMessage();
  const remove = useDeleteInboxMessage();
  const setRead = (wanted: boolean) => {
    if (message.read !== wanted) mark.mutate({ message, read: wanted });
  };
  const mark_label = read ? i18n.t('Mark as unread') : i18n.t('Mark as read');
  const sentence = describeMessage(kind, from.name);
  const what = sentence.replaceAll(/<\/?name>/g, '');
  return (
    <li data-new={read ? undefined : ''} className="inbox-item">
      <span className="notification-mark">
        <Avatar name={from.user?.username ?? from.name} called={from.name} url={from.user?.avatar_url} />
        <Icon aria-hidden="true" size={16} />
      </span>
      <div className="list-main stack-small">
        <p>
          <RichMessage text={sentence} parts={{ name: (words) => <strong dir="auto">{words}</strong> }} />
          {read ? null : <span className="visually-hidden"> {i18n.t('(not read)')}</span>}
        </p>
        {message.body === '' ? null : <p dir="auto">{message.body}</p>}
        {message.file === null ? null : <Player file={message.file} name={what} onPlay={() => setRead(true)} />}
        {message.transcript === null ? null : (
          <blockquote className="transcript" dir="auto" aria-label={i18n.t('Transcript')}>
            {message.transcript}
          </blockquote>
        )}
        <When at={message.created_at} />
        <div className="cluster inbox-actions">
          <ResponseActions message={message} />
        </div>
      </div>
      <div className="inbox-icons">
        <button type="button" className="icon-button" title={mark_label} onClick={() => setRead(!read)}>
          {read ? <Mail aria-hidden="true" /> : <MailOpen aria-hidden="true" />}
          <span className="visually-hidden">
            {mark_label}: {what}
          </span>
        </button>
        <Confirm
          title={i18n.t('Delete it?')}
          text={i18n.t('It is removed from all of your devices.')}
          action={i18n.t('Delete')}
          onConfirm={() => remove.mutate(message)}
          trigger={
            <button type="button" className="icon-button">
              <Trash2 aria-hidden="true" />
              <span className="visually-hidden">{i18n.t('Delete: {what}', { what })}</span>
            </button>
          }
        />
      </div>
    </li>
  );
}

/** The inbox: missed calls, voicemail and videomail. */
export function InboxPage() {
  const list = useList<Message>({
    queryKey: inboxKey,
    load: (query, signal) => sdk.inbox.listInbox({ query, signal }),
    still: true,
  });
  if (list.isPending) return <Skeleton what={i18n.t('Loading your inbox')} />;
  return (
    <section className="card" aria-labelledby="inbox-heading">
      <h2 id="inbox-heading" className="visually-hidden">
        {i18n.t('Inbox')}
      </h2>
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          title={i18n.t('Nothing missed')}
          text={i18n.t('Missed calls and voice and video messages appear here.')}
          level={3}
        />
      ) : null}
      <ul className="list notifications" aria-live="polite" aria-relevant="additions">
        {list.items.map((message) => (
          <InboxItem key={message.id} message={message} />
        ))}
      </ul>
      <More list={list} what={i18n.t('messages')} />
    </section>
  );
}
