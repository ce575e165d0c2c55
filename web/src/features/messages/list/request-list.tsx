import type { Thread } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Row } from '../../../ui/row.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useThreads } from './use-chats.ts';
import { describeLast } from './chat-lines.tsx';
import { ListTime } from '../list-time.tsx';
import { RequestButtons } from './request-buttons.tsx';
import { i18n } from '../../../i18n/i18n.ts';

function RequestItem({ thread }: { thread: Thread }) {
  const name = nameOf(thread.peer);
  return (
    <li>
      <Link to="/messages/$threadId" params={{ threadId: thread.id }} className="row unread">
        <Row
          picture={<Avatar name={thread.peer.username} called={nameOf(thread.peer)} url={thread.peer.avatar_url} />}
          title={name}
          detail={describeLast(thread)}
          at={<ListTime at={thread.last_message?.created_at ?? thread.created_at} />}
        />
      </Link>
      <p className="request-actions">
        <RequestButtons thread={thread} name={name} />
      </p>
    </li>
  );
}

/** The reader's message requests, each with its one message. */
export function RequestList() {
  const list = useThreads('requests');
  return (
    <div className="scroll">
      {list.isPending ? <Skeleton rows={3} what={i18n.t('Loading requests')} /> : null}
      {list.isError ? <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} /> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState title={i18n.t('No requests')} text={i18n.t('Messages from people you don’t know appear here.')} />
      ) : null}
      <ul>
        {list.items.map((thread) => (
          <RequestItem key={thread.id} thread={thread} />
        ))}
      </ul>
      <More list={list} what={i18n.t('requests')} />
    </div>
  );
}
