import type { Status } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusList } from './status-list.tsx';
import { flushQueue } from './status-cache.ts';
import { feedKey, queuedStatusesKey } from '../../data/queries/status-queries.ts';
import type { QueuedStatuses } from './status-cache.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The number of queued statuses; pressing it shows them and scrolls to the newest. */
function NewStatuses({ shown, onShow }: { shown: readonly Status[]; onShow: () => void }) {
  const queries = useQueryClient();
  const { data } = useQuery<QueuedStatuses>({
    queryKey: queuedStatusesKey,
    queryFn: () => ({ items: [], gap: false }),
    enabled: false,
  });
  // A refetch of the feed may already have returned queued statuses.
  const known = new Set(shown.map(({ id }) => id));
  const count = data?.items.filter(({ id }) => !known.has(id)).length ?? 0;
  return (
    <div className="new-statuses" role="status">
      {count === 0 ? null : (
        <button
          type="button"
          className="button primary small"
          onClick={() => {
            flushQueue(queries);
            onShow();
          }}
        >
          <ArrowUp aria-hidden="true" />
          {data?.gap === true
            ? i18n.t('Many new posts')
            : i18n.t('{count, plural, one {# new post} other {# new posts}}', { count })}
        </button>
      )}
    </div>
  );
}

/** The feed, newest first. @param ready whether nothing else may still load its first page */
export function Feed({ ready }: { ready: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useList<Status>({
    queryKey: feedKey,
    load: (query, signal) => sdk.statuses.getFeed({ query, signal }),
    still: true,
    enabled: ready,
  });
  return (
    <section aria-labelledby="feed-heading">
      <h2 id="feed-heading" ref={heading} tabIndex={-1} className="feed-heading visually-hidden">
        {i18n.t('Feed')}
      </h2>
      {list.isPending ? <Skeleton rows={4} what={i18n.t('Loading your feed')} /> : null}
      {list.isError && list.items.length === 0 ? (
        <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState title={i18n.t('No posts yet')} text={i18n.t('Follow a tag to see its posts here.')}>
          <Link to="/search" className="button primary">
            {i18n.t('Find tags')}
          </Link>
        </EmptyState>
      ) : null}
      <div>
        <NewStatuses
          shown={list.items}
          onShow={() => {
            heading.current?.focus({ preventScroll: true });
            heading.current?.scrollIntoView({ block: 'start' });
          }}
        />
        <StatusList statuses={list.items} />
      </div>
      <More list={list} what={i18n.t('posts')} />
    </section>
  );
}
