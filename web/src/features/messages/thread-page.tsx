import type { DirectMessage, Thread } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Phone } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { More } from '../../ui/more.tsx';
import { Page, PageHeading, Waiting } from '../../ui/page.tsx';
import { describeProblem, hasCode } from '../../ui/problem.ts';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useStartCall } from '../calls/start-call.ts';
import { useLook } from '../realtime/stream-context.tsx';
import { useAnswer, useRead, useSend } from './message-acts.ts';
import { MessageComposer } from './message-composer.tsx';
import { MessageLine, OutgoingLine } from './message-line.tsx';
import { chatKey, outgoingQuery, threadQuery } from './message-queries.ts';
import { useTyping } from './use-typing.ts';

function Head({ thread }: { thread: Thread }) {
  const { peer } = thread;
  const call = useStartCall();
  return (
    <header className="thread-head">
      <Link
        to={thread.state === 'pending' && !thread.initiated_by_me ? '/messages/requests' : '/messages'}
        className="button button-plain button-icon"
      >
        <ArrowLeft aria-hidden="true" />
        <span className="visually-hidden">Back to your messages</span>
      </Link>
      <Avatar name={peer.username} url={peer.avatar_url} />
      <div className="list-main">
        <PageHeading title={nameOf(peer)} />
        {thread.peer_gone ? null : <p className="soft small">@{peer.username}</p>}
      </div>
      {thread.peer_gone ? null : (
        <>
          <button
            type="button"
            className="button button-plain button-icon"
            aria-disabled={call.isPending}
            onClick={() => {
              if (!call.isPending) call.mutate([{ user_id: peer.id }]);
            }}
          >
            <Phone aria-hidden="true" />
            <span className="visually-hidden">Call {nameOf(peer)}</span>
          </button>
          <PersonMenu person={peer} />
        </>
      )}
    </header>
  );
}

/** What a stranger asks, and the two answers. */
function Request({ thread }: { thread: Thread }) {
  const answer = useAnswer();
  const give = (word: 'accept' | 'decline') => {
    if (!answer.isPending) answer.mutate({ thread, word });
  };
  return (
    <section className="banner" aria-label="Request">
      <p className="list-main">
        <strong>{nameOf(thread.peer)}</strong> wants to write to you, and does not see whether you have read this.
        Writing back accepts.
      </p>
      <button type="button" className="button" aria-disabled={answer.isPending} onClick={() => give('accept')}>
        Accept
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-disabled={answer.isPending}
        onClick={() => give('decline')}
      >
        Decline
      </button>
    </section>
  );
}

/** Why nothing can be written now; undefined when it can. */
function describeRest(thread: Thread): string | undefined {
  if (thread.peer_gone) return 'This account was deleted. What was written stays for you.';
  if (thread.state === 'pending' && thread.initiated_by_me && thread.last_message !== null)
    return `Your message waits. You can write more once ${nameOf(thread.peer)} answers.`;
  return undefined;
}

/** What is to be known before writing. */
function describeStart(thread: Thread): string | undefined {
  if (thread.state === 'declined') return 'You have declined. Writing begins again.';
  if (thread.state === 'pending' && thread.initiated_by_me)
    return 'You do not know each other yet: you can send one message, without files, until it is answered.';
  return undefined;
}

/** Marks what is shown as read while the page is looked at. */
function useMarkRead(thread: Thread, newest: DirectMessage | undefined): void {
  const { mutate } = useRead(thread.id);
  const [is_looked_at, setLookedAt] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setLookedAt(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const newest_id = newest?.id;
  const is_unread = thread.unread_count > 0;
  useEffect(() => {
    if (newest_id !== undefined && is_unread && is_looked_at) mutate(newest_id);
  }, [newest_id, is_unread, is_looked_at, mutate]);
}

function Chat({ thread }: { thread: Thread }) {
  const { id, peer, peer_read_up_to } = thread;
  const list = useList<DirectMessage>({
    queryKey: chatKey(id),
    load: (query, signal) => sdk.dm.listThreadMessages({ path: { thread_id: id }, query, signal }),
  });
  const outgoing = useQuery(outgoingQuery(id)).data;
  const { send, again, drop } = useSend(id);
  const newest = list.items[0];
  const is_writing = useTyping(id, newest?.id);
  useMarkRead(thread, newest);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise here, which an effect must not return.
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [newest?.id, outgoing.length]);
  const read_last = list.items.find(
    (one) => one.sender.id !== peer.id && one.deleted_at === null && one.id <= (peer_read_up_to ?? ''),
  );
  const rest = describeRest(thread);
  const start = describeStart(thread);
  return (
    <>
      <div className="chat-scroll" tabIndex={0} role="log" aria-label={`Messages with ${nameOf(peer)}`}>
        {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
        {list.isSuccess && list.items.length + outgoing.length === 0 ? (
          <p className="soft small">Nothing has been written yet.</p>
        ) : null}
        <More list={list} what="messages" />
        <ol>
          {list.items.toReversed().map((message) => (
            <MessageLine
              key={message.id}
              message={message}
              mine={message.sender.id !== peer.id}
              is_read_last={message.id === read_last?.id}
            />
          ))}
          {outgoing.map((one) => (
            <OutgoingLine key={one.key} one={one} onAgain={() => again(one)} onDrop={() => drop(one.key)} />
          ))}
        </ol>
        <div ref={end} />
      </div>
      <p className="chat-typing soft small" aria-live="polite">
        {is_writing ? `${nameOf(peer)} is writing…` : ''}
      </p>
      {thread.state === 'pending' && !thread.initiated_by_me && thread.last_message !== null ? (
        <Request thread={thread} />
      ) : null}
      {start === undefined || rest !== undefined ? null : <p className="soft small thread-note">{start}</p>}
      {rest === undefined ? (
        <MessageComposer
          thread_id={id}
          peer_id={thread.peer.id}
          is_open={thread.state !== 'pending' || !thread.initiated_by_me}
          onSend={send}
        />
      ) : (
        <p className="notice">{rest}</p>
      )}
    </>
  );
}

/** What two people write to each other. */
export function ThreadPage() {
  const { threadId } = useParams({ from: '/signed-in/messages/$threadId' });
  const thread = useQuery(threadQuery(threadId));
  useLook('thread', threadId);
  if (thread.isPending) return <Waiting what="Fetching the messages" />;
  // What was fetched stays while the service cannot be reached.
  if (thread.data === undefined || hasCode(thread.error, 'not_found')) {
    return (
      <Page title="There is no such thread" narrow>
        <p className="notice" role="alert">
          {describeProblem(thread.error)}
        </p>
        <Link to="/messages" className="button">
          Your messages
        </Link>
      </Page>
    );
  }
  return (
    <main id="main" tabIndex={-1} className="page thread-page">
      <Head thread={thread.data} />
      <Chat key={threadId} thread={thread.data} />
    </main>
  );
}
