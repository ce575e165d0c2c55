import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquare, Phone } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeSpan, When } from '../../ui/when.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { describeDirection, describeOutcome, iconOfCall, nameOfCall, othersOf, targetsOf } from './call-text.ts';
import { historyKey, type PastCall } from '../../data/queries/history-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import './past-calls.css';

/** An answered call shows only its duration beside its icon. */
function Outcome({ call }: { call: PastCall }) {
  const words = describeOutcome(call);
  if (call.outcome !== 'answered' || call.duration_s === 0) return words;
  return (
    <>
      <span className="visually-hidden">{words}</span>
      <span aria-hidden="true">{describeSpan(call.duration_s)}</span>
    </>
  );
}

function PastCallItem({ call, me }: { call: PastCall; me: ReturnType<typeof useMe> }) {
  const again = useStartCall();
  const others = othersOf(call, me?.id);
  const names = nameOfCall(others);
  const to = targetsOf(others);
  // Where nobody joined, the reader's own picture.
  const person = others.length === 0 ? me : others[0]?.user;
  const Icon = iconOfCall(call);
  const { conference_id: conferenceId } = call;
  return (
    <li className="past-call" data-missed={call.outcome === 'missed' ? '' : undefined}>
      <Avatar
        name={person?.username ?? names}
        called={others.length === 0 ? me && nameOf(me) : others[0]?.name}
        url={person?.avatar_url}
      />
      <div className="list-main">
        <p>
          <Link to="/calls/$conferenceId" params={{ conferenceId }} className="quiet-link">
            <strong dir="auto">{names}</strong>
          </Link>
        </p>
        <p className="soft small">
          <Icon aria-hidden="true" />
          <span className="visually-hidden">{describeDirection(call)} · </span>
          <Outcome call={call} /> · <When at={call.started_at} className="" />
        </p>
      </div>
      <div className="past-call-actions">
        <Link to="/messages/call/$conferenceId" params={{ conferenceId }} className="icon-button">
          <MessageSquare aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Chat of the call with {names}', { names })}</span>
        </Link>
        {to.length === 0 ? null : (
          <button
            type="button"
            className="icon-button"
            aria-disabled={again.isPending}
            onClick={() => {
              if (!again.isPending) again.mutate(to);
            }}
          >
            <Phone aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Call {names} again', { names })}</span>
          </button>
        )}
      </div>
    </li>
  );
}

/** The reader's past calls, newest first. */
export function PastCalls() {
  const me = useMe();
  const list = useInfiniteQuery({
    queryKey: historyKey,
    queryFn: ({ pageParam, signal }) =>
      sdk.callHistory.listCallHistory({ query: pageParam === undefined ? {} : { before_id: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.items.at(-1)?.conference_id : undefined),
  });
  if (list.isPending) return <Skeleton what={i18n.t('Loading your calls')} />;
  const calls = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="card" aria-labelledby="history-heading">
      <h2 id="history-heading" className="visually-hidden">
        {i18n.t('Recent calls')}
      </h2>
      <ListFailure list={list} />
      {calls.length === 0 && !list.isError ? (
        <EmptyState
          title={i18n.t('No calls yet')}
          text={i18n.t('Call a person or a tag, or open a room and send its link.')}
          level={3}
        />
      ) : null}
      <ul className="list">
        {calls.map((call) => (
          <PastCallItem key={call.conference_id} call={call} me={me} />
        ))}
      </ul>
      <More list={list} what={i18n.t('calls')} />
    </section>
  );
}
