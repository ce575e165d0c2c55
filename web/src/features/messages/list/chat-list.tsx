import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Archive } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Row } from '../../../ui/row.tsx';
import { scrollSideways } from '../../../ui/scroll-sideways.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { hasWords } from '../../chat/highlighted-text.tsx';
import { useMe } from '../../../data/queries/me-query.ts';
import { dmCountQuery } from '../../../data/queries/message-queries.ts';
import { ChatRows } from './chat-rows.tsx';
import { nameOfEntry } from './chat-entries.ts';
import type { ChatEntry } from './chat-entries.ts';
import { FoundMessages } from '../message-search.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { useChatEntries, useChats } from './use-chats.ts';

const FILTERS = {
  get all() {
    return i18n.t('All');
  },
  get unread() {
    return i18n.t('Unread');
  },
  get groups() {
    return i18n.t('Groups');
  },
  get guests() {
    return i18n.t('Guests');
  },
} as const;

type Filter = keyof typeof FILTERS;

function isShown(entry: ChatEntry, filter: Filter): boolean {
  if (filter === 'unread') return entry.unread > 0;
  if (filter === 'groups') return entry.kind === 'group';
  return filter === 'guests' ? entry.kind === 'widget' : true;
}

type ChatEntries = ReturnType<typeof useChatEntries>;

/** The chats whose names match a query, followed by matching messages. */
function Results({
  entries,
  asked,
  user_id,
}: {
  entries: readonly ChatEntry[];
  asked: string;
  user_id: string | undefined;
}) {
  const archived = useChats(true);
  const named = [...entries, ...archived.entries].filter((entry) => hasWords(nameOfEntry(entry), asked));
  return (
    <div className="scroll">
      {named.length === 0 ? null : (
        <>
          <p className="list-part" aria-hidden="true">
            {i18n.t('Chats')}
          </p>
          <ul aria-label={i18n.t('Chats')}>
            <ChatRows entries={named} user_id={user_id} />
          </ul>
        </>
      )}
      <FoundMessages asked={asked} has_others={named.length > 0} />
    </div>
  );
}

/** A link to the archive, if it contains anything. */
function ArchivedRow({ entries }: { entries: readonly ChatEntry[] }) {
  if (entries.length === 0) return null;
  const unread = entries.filter((one) => one.unread > 0).length;
  return (
    <Link to="/messages/archived" className="row archived-row">
      <Row
        picture={<Archive aria-hidden="true" />}
        title={i18n.t('Archived')}
        end={<Badge count={unread} what={i18n.t('with something unread')} tone="muted" />}
      />
    </Link>
  );
}

/** The reader's archived chats. */
export function ArchivedList() {
  const { threads, groups, entries } = useChats(true);
  const user_id = useMe()?.id;
  const error = threads.error ?? groups.error;
  return (
    <div className="scroll">
      {threads.isPending ? <Skeleton what={i18n.t('Loading your archived chats')} /> : null}
      {error !== null && entries.length === 0 ? (
        <Failure text={describeProblem(error)} onRetry={() => void threads.refetch()} />
      ) : null}
      {threads.isSuccess && groups.isSuccess && entries.length === 0 ? (
        <EmptyState
          title={i18n.t('Nothing archived')}
          text={i18n.t('Archived chats come back when someone writes, unless they are muted.')}
        />
      ) : null}
      <ul>
        <ChatRows entries={entries} user_id={user_id} />
      </ul>
      <More list={threads} what={i18n.t('chats')} />
    </div>
  );
}

/** The chats that match a filter, or why there are none. */
function FilteredChats({
  threads,
  groups,
  entries,
  filter,
  user_id,
}: ChatEntries & { filter: Filter; user_id: string | undefined }) {
  const archived = useChats(true);
  const shown = entries.filter((entry) => isShown(entry, filter));
  // Wait for both threads and groups, so that no row moves when the other list arrives.
  const is_coming = [threads, groups].some(({ isPending, isFetching }) => isPending && isFetching);
  const error = threads.error ?? groups.error;
  return (
    <div className="scroll">
      {threads.isPending || is_coming ? <Skeleton what={i18n.t('Loading your chats')} /> : null}
      {error !== null && entries.length === 0 ? (
        <Failure text={describeProblem(error)} onRetry={() => void threads.refetch()} />
      ) : null}
      {threads.isSuccess && entries.length === 0 && archived.entries.length === 0 ? (
        <EmptyState title={i18n.t('No chats yet')} text={i18n.t('Find someone and say hello.')}>
          <Link to="/search" className="button primary">
            {i18n.t('Find people')}
          </Link>
        </EmptyState>
      ) : null}
      {filter === 'all' ? <ArchivedRow entries={archived.entries} /> : null}
      {entries.length > 0 && shown.length === 0 ? <p className="talk-note">{i18n.t('Nothing here.')}</p> : null}
      <ul>
        <ChatRows entries={is_coming ? [] : shown} user_id={user_id} />
      </ul>
      <More list={threads} what={i18n.t('chats')} />
    </div>
  );
}

/** All chats of the reader, ordered by the newest message, or the results of a search among them. */
export function ChatList() {
  const all = useChatEntries();
  const user_id = useMe()?.id;
  const [filter, setFilter] = useState<Filter>('all');
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const { pending = 0 } = useQuery(dmCountQuery).data ?? {};
  const names = (Object.keys(FILTERS) as Filter[]).filter((name) => name !== 'guests' || all.has_guests);
  return (
    <>
      <SearchField label={i18n.t('Search your chats')} text={text} onText={setText} />
      {asked === '' ? (
        <>
          <div className="chips" onWheel={scrollSideways} role="group" aria-label={i18n.t('Show')}>
            {names.map((name) => (
              <Chip key={name} pressed={filter === name} onClick={() => setFilter(name)}>
                {FILTERS[name]}
              </Chip>
            ))}
            <Link to="/messages/requests" className="chip">
              {i18n.t('Requests')}
              <Badge count={pending} what={i18n.t('waiting')} />
            </Link>
          </div>
          <FilteredChats {...all} filter={filter} user_id={user_id} />
        </>
      ) : (
        <Results entries={all.entries} asked={asked} user_id={user_id} />
      )}
    </>
  );
}
