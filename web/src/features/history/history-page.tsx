import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquare, Phone, PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeDuration, When } from '../../ui/when.tsx';
import { RoomsList } from '../calls/rooms/rooms-list.tsx';
import { useStartCall, type Targets } from '../calls/state/start-call.ts';
import { FavouriteCall } from '../grid/favourite-call.tsx';
import { gridQuery } from '../grid/grid-query.ts';
import { meQuery } from '../me/me-query.ts';
import { historyKey, recordingsKey, type PastCall, type Recorded } from './history-queries.ts';
import { RecordingItem } from './recording-item.tsx';
import { localizeNames } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';

const OUTCOMES: Readonly<Record<PastCall['outcome'], string>> = {
  get answered() {
    return i18n.t('Answered');
  },
  get missed() {
    return i18n.t('Missed');
  },
  get declined() {
    return i18n.t('Declined');
  },
  get no_answer() {
    return i18n.t('No answer');
  },
  get busy() {
    return i18n.t('Busy');
  },
  get failed() {
    return i18n.t('Couldn’t be reached');
  },
  get cancelled() {
    return i18n.t('Cancelled');
  },
};

function iconOf({ direction, outcome }: PastCall) {
  if (outcome === 'missed') return PhoneMissed;
  return direction === 'incoming' ? PhoneIncoming : PhoneOutgoing;
}

function HistoryItem({ call, my_id }: { call: PastCall; my_id: string | undefined }) {
  const again = useStartCall();
  const others = localizeNames(call).participants.filter(({ user }) => user?.id !== my_id);
  const names = others.map(({ name }) => formatPhone(name)).join(', ') || i18n.t('No one else');
  const to = others.flatMap(({ user, phone, contact_id }): Targets => {
    if (user !== null) return [{ user_id: user.id }];
    if (contact_id !== null) return [{ contact_id }];
    return phone !== null && phone.startsWith('+') ? [{ phone }] : [];
  });
  const [first] = others;
  const Icon = iconOf(call);
  const length = call.duration_s > 0 ? `, ${describeDuration(call.duration_s)}` : '';
  return (
    <li className="past-call" data-missed={call.outcome === 'missed' ? '' : undefined}>
      <Avatar name={first?.user?.username ?? names} called={first?.name} url={first?.user?.avatar_url} />
      <div className="list-main">
        <p>
          <strong dir="auto">{names}</strong>
        </p>
        <p className="soft small">
          <Icon aria-hidden="true" />
          <span className="visually-hidden">
            {call.direction === 'incoming' ? i18n.t('Incoming') : i18n.t('Outgoing')} ·{' '}
          </span>
          {OUTCOMES[call.outcome]}
          {length} · <When at={call.started_at} className="" />
        </p>
      </div>
      <div className="past-call-actions">
        <Link to="/messages/call/$conferenceId" params={{ conferenceId: call.conference_id }} className="ib">
          <MessageSquare aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Chat of the call with {names}', { names })}</span>
        </Link>
        {to.length === 0 ? null : (
          <button
            type="button"
            className="ib"
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

/** The number that fits in one row on a phone. */
const FAVOURITES = 4;

/** The first favourites, each called with one press. */
function Favourites() {
  const members = useQuery(gridQuery).data?.members ?? [];
  if (members.length === 0) return null;
  return (
    <ul className="grid-tiles" aria-label={i18n.t('Favourites')}>
      {members.slice(0, FAVOURITES).map(({ contact }) => (
        <li key={contact.id}>
          <FavouriteCall contact={contact} />
        </li>
      ))}
    </ul>
  );
}

/** Past calls, and their recordings. */
export function HistoryPage() {
  const my_id = useQuery(meQuery).data?.id;
  const list = useInfiniteQuery({
    queryKey: historyKey,
    queryFn: ({ pageParam, signal }) =>
      sdk.callHistory.listCallHistory({ query: pageParam === undefined ? {} : { before_id: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.items.at(-1)?.conference_id : undefined),
  });
  const recordings = useList<Recorded>({
    queryKey: recordingsKey,
    load: (query, signal) => sdk.recordings.listRecordings({ query, signal }),
  });
  if (list.isPending) return <Skeleton what={i18n.t('Loading your calls')} />;
  const calls = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const recorded = recordings.items;
  return (
    <>
      <Favourites />
      <RoomsList />
      <section className="card" aria-labelledby="history-heading">
        <h2 id="history-heading" className="visually-hidden">
          {i18n.t('Recent calls')}
        </h2>
        {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
        {calls.length === 0 && !list.isError ? (
          <EmptyState
            title={i18n.t('No calls yet')}
            text={i18n.t('Call a tag, or open a room and send its link.')}
            level={3}
          />
        ) : null}
        <ul className="list">
          {calls.map((call) => (
            <HistoryItem key={call.conference_id} call={call} my_id={my_id} />
          ))}
        </ul>
        <More list={list} what={i18n.t('calls')} />
      </section>
      {recorded.length === 0 ? null : (
        <section className="card" aria-labelledby="recordings-heading">
          <h2 id="recordings-heading">{i18n.t('Recordings')}</h2>
          <ul className="list">
            {recorded.map((one) => (
              <RecordingItem key={one.id} recording={one} is_mine={one.by?.id === my_id} />
            ))}
          </ul>
          <More list={recordings} what={i18n.t('recordings')} />
        </section>
      )}
    </>
  );
}
