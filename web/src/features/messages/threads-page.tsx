import type { Thread } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { More } from '../../ui/more.tsx';
import { Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { When } from '../../ui/when.tsx';
import { useAnswer } from './message-acts.ts';
import { folderKey } from './message-queries.ts';
import type { Folder } from './message-queries.ts';

/** The newest message of a thread on one line. */
function describeLast({ last_message, peer }: Thread): string {
  if (last_message === null) return 'Nothing written yet';
  const by = last_message.sender.id === peer.id ? '' : 'You: ';
  if (last_message.deleted_at !== null) return `${by}Message deleted`;
  return by + (last_message.body || (last_message.media[0]?.kind === 'image' ? 'Picture' : 'File'));
}

function ThreadItem({ thread, children }: { thread: Thread; children?: ReactNode }) {
  const { id, peer, unread_count, last_message, created_at } = thread;
  return (
    <li data-new={unread_count > 0 ? '' : undefined} className="thread-item">
      <Avatar name={peer.username} url={peer.avatar_url} />
      <div className="list-main">
        <p className="cluster cluster-apart">
          <Link to="/messages/$threadId" params={{ threadId: id }} className="thread-link">
            {nameOf(peer)}
          </Link>
          <When at={last_message?.created_at ?? created_at} />
        </p>
        <p className="cluster cluster-apart">
          <span className="soft small thread-last">{describeLast(thread)}</span>
          <Badge count={unread_count} what="not read" />
        </p>
        {children}
      </div>
    </li>
  );
}

function useThreads(folder: Folder) {
  return useList<Thread>({
    queryKey: folderKey(folder),
    load: (query, signal) => sdk.dm.listThreads({ query: { ...query, folder }, signal }),
    // The place of a thread is that of its newest message: by it nothing is skipped when threads move meanwhile.
    cursorOf: ({ last_message, id }) => last_message?.id ?? id,
  });
}

interface ListProps {
  list: ReturnType<typeof useThreads>;
  title: string;
  empty: string;
  item: (thread: Thread) => ReactNode;
}

function ThreadList({ list, title, empty, item }: ListProps) {
  if (list.isPending) return <Waiting what="Fetching your messages" />;
  return (
    <section className="card" aria-labelledby="threads-heading">
      <h2 id="threads-heading">{title}</h2>
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? <p className="soft">{empty}</p> : null}
      <ul className="list notifications">{list.items.map(item)}</ul>
      <More list={list} what="threads" />
    </section>
  );
}

/** Whom the reader writes with, by the newest message. */
export function ThreadsPage() {
  return (
    <ThreadList
      list={useThreads('main')}
      title="Chats"
      empty="Nothing yet. Open somebody’s profile and press Message to write to them."
      item={(thread) => <ThreadItem key={thread.id} thread={thread} />}
    />
  );
}

function RequestItem({ thread }: { thread: Thread }) {
  const answer = useAnswer();
  const name = nameOf(thread.peer);
  const give = (word: 'accept' | 'decline') => {
    if (!answer.isPending) answer.mutate({ thread, word });
  };
  return (
    <ThreadItem thread={thread}>
      <p className="cluster inbox-acts">
        <button type="button" className="button" aria-disabled={answer.isPending} onClick={() => give('accept')}>
          Accept<span className="visually-hidden"> {name}</span>
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={answer.isPending}
          onClick={() => give('decline')}
        >
          Decline<span className="visually-hidden"> {name}</span>
        </button>
      </p>
    </ThreadItem>
  );
}

/** Strangers who want to write to the reader: each has said one thing. */
export function MessageRequestsPage() {
  return (
    <ThreadList
      list={useThreads('requests')}
      title="Requests"
      empty="Nobody waits. People who do not know you can send one message, which stands here until you answer."
      item={(thread) => <RequestItem key={thread.id} thread={thread} />}
    />
  );
}
