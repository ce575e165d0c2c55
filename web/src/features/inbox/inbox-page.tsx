import { Link } from '@tanstack/react-router';
import { Mail, MailOpen, MessageSquare, Mic, Phone, PhoneMissed, Trash2, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { useStartCall } from '../calls/state/start-call.ts';
import { Player } from '../files/player.tsx';
import { inboxKey, useDelete, useMark, type Message } from './inbox-acts.ts';

const KINDS: Readonly<Record<Message['kind'], { says: string; icon: LucideIcon }>> = {
  missed_call: { says: 'called you', icon: PhoneMissed },
  voicemail: { says: 'left you a voicemail', icon: Mic },
  videomail: { says: 'sent you a videomail', icon: Video },
  text: { says: 'wrote', icon: MessageSquare },
  system: { says: 'says', icon: Mail },
};

/** The ways to answer: a call back, and a message of one's own. */
function Answers({ message }: { message: Message }) {
  const call = useStartCall();
  const { user } = message.from;
  if (user === null) return null;
  return (
    <>
      <button
        type="button"
        className="button button-quiet"
        aria-disabled={call.isPending}
        onClick={() => {
          if (!call.isPending) call.mutate([{ user_id: user.id }]);
        }}
      >
        <Phone aria-hidden="true" />
        Call back<span className="visually-hidden"> {message.from.name}</span>
      </button>
      <Link to="/videomail/$handle" params={{ handle: user.username }} className="button button-quiet">
        <Video aria-hidden="true" />
        Reply<span className="visually-hidden"> to {message.from.name} with a videomail</span>
      </Link>
    </>
  );
}

function InboxItem({ message }: { message: Message }) {
  const { kind, from, read } = message;
  const { says, icon: Icon } = KINDS[kind];
  const mark = useMark();
  const remove = useDelete();
  const setRead = (wanted: boolean) => {
    if (message.read !== wanted) mark.mutate({ message, read: wanted });
  };
  const what = `${from.name} ${says}`;
  return (
    <li data-new={read ? undefined : ''} className="inbox-item">
      <span className="notification-mark">
        <Avatar name={from.user?.username ?? from.name} url={from.user?.avatar_url} />
        <Icon aria-hidden="true" size={16} />
      </span>
      <div className="list-main stack-small">
        <p>
          <strong dir="auto">{from.name}</strong> {says}
          {read ? null : <span className="visually-hidden"> (not read)</span>}
        </p>
        {message.body === '' ? null : <p dir="auto">{message.body}</p>}
        {message.file === null ? null : <Player file={message.file} name={what} onPlay={() => setRead(true)} />}
        {message.transcript === null ? null : (
          <blockquote className="transcript" aria-label="What was said">
            {message.transcript}
          </blockquote>
        )}
        <When at={message.created_at} />
        <div className="cluster inbox-acts">
          <Answers message={message} />
          <button type="button" className="button button-plain" onClick={() => setRead(!read)}>
            {read ? <Mail aria-hidden="true" /> : <MailOpen aria-hidden="true" />}
            {read ? 'Mark as unread' : 'Mark as read'}
            <span className="visually-hidden">: {what}</span>
          </button>
          <Confirm
            title="Delete it?"
            text="It goes from all of your devices."
            action="Delete"
            onConfirm={() => remove.mutate(message)}
            trigger={
              <button type="button" className="button button-plain button-icon">
                <Trash2 aria-hidden="true" />
                <span className="visually-hidden">Delete: {what}</span>
              </button>
            }
          />
        </div>
      </div>
    </li>
  );
}

/** What reached the reader while they were away. */
export function InboxPage() {
  const list = useList<Message>({
    queryKey: inboxKey,
    load: (query, signal) => sdk.inbox.listInbox({ query, signal }),
    still: true,
  });
  if (list.isPending) return <Skeleton what="Fetching your inbox" />;
  return (
    <section className="card" aria-labelledby="inbox-heading">
      <h2 id="inbox-heading" className="visually-hidden">
        Inbox
      </h2>
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState title="Nothing missed" text="Missed calls and voice and video messages appear here." level={3} />
      ) : null}
      <ul className="list notifications" aria-live="polite" aria-relevant="additions">
        {list.items.map((message) => (
          <InboxItem key={message.id} message={message} />
        ))}
      </ul>
      <More list={list} what="messages" />
    </section>
  );
}
