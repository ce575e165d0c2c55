import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { MessageCircle, Phone, Video } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Main, PageHeading } from '../../ui/page.tsx';
import { Row } from '../../ui/row.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { PersonAction } from '../people/person-action.tsx';
import { describeDirection, describeOutcome, nameOfCall, othersOf, targetsOf } from './call-text.ts';
import { pastCallQuery, type PastCall } from '../../data/queries/history-queries.ts';
import { Recordings } from './recordings.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { i18n } from '../../i18n/i18n.ts';

type Participant = PastCall['participants'][number];

/** Ways to go on from a call: calling its people again, and its chat. */
function Actions({ call, others, names }: { call: PastCall; others: Participant[]; names: string }) {
  const audio = useStartCall('audio');
  const video = useStartCall('video');
  const navigate = useNavigate();
  const to = targetsOf(others);
  const is_calling = audio.isPending || video.isPending;
  const { conference_id: conferenceId } = call;
  return (
    <div className="person-actions">
      {to.length === 0 ? null : (
        <>
          <PersonAction
            icon={Phone}
            label={i18n.t('Call')}
            full_label={i18n.t('Call {name}', { name: names })}
            is_first
            disabled={is_calling}
            onPress={() => audio.mutate(to)}
          />
          <PersonAction
            icon={Video}
            label={i18n.t('Video')}
            full_label={i18n.t('Video with {name}', { name: names })}
            disabled={is_calling}
            onPress={() => video.mutate(to)}
          />
        </>
      )}
      <PersonAction
        icon={MessageCircle}
        label={i18n.t('Chat')}
        full_label={i18n.t('Chat of the call with {names}', { names })}
        disabled={false}
        onPress={() => void navigate({ to: '/messages/call/$conferenceId', params: { conferenceId } })}
      />
    </div>
  );
}

/** One participant: a link to the person or the contact, if they are one. */
function ParticipantRow({ one: { user, name, contact_id } }: { one: Participant }) {
  const row = (
    <Row
      picture={<Avatar name={user?.username ?? name} called={name} url={user?.avatar_url} />}
      title={formatPhone(name)}
      detail={user === null ? undefined : `@${user.username}`}
    />
  );
  if (user !== null)
    return (
      <Link to="/u/$userId" params={{ userId: user.id }} className="row">
        {row}
      </Link>
    );
  if (contact_id === null) return <div className="row">{row}</div>;
  return (
    <Link to="/contacts/$contactId" params={{ contactId: contact_id }} className="row">
      {row}
    </Link>
  );
}

/** One call of the history: who was in it, when, and its recordings. */
export function PastCallPage() {
  const { conferenceId } = useParams({ from: '/signed-in/calling/calls/$conferenceId' });
  const my_id = useMe()?.id;
  const call = useQuery(pastCallQuery(conferenceId));
  const back = (
    <BackLink to="/calls" is_beside_list>
      {i18n.t('Recent calls')}
    </BackLink>
  );
  if (call.isPending) return <PageSkeleton back={back} narrow what={i18n.t('Loading the call')} />;
  if (call.data == null)
    return (
      <MissingPage
        back={back}
        error={call.error}
        onRetry={() => void call.refetch()}
        what={i18n.t('Call')}
        title={i18n.t('Call not found')}
        text={i18n.t('You weren’t in this call, or it is no longer available to you.')}
      >
        <Link to="/calls" className="button primary">
          {i18n.t('Recent calls')}
        </Link>
      </MissingPage>
    );
  const others = othersOf(call.data, my_id);
  const names = nameOfCall(others);
  const [first] = others;
  return (
    <Main className="page page-narrow person">
      <div className="person-top">{back}</div>
      <header className="person-head">
        <Avatar
          name={first?.user?.username ?? names}
          called={first?.name}
          url={first?.user?.avatar_url}
          size_px={104}
        />
        <PageHeading title={names} />
        <p className="soft">
          {describeDirection(call.data)} · {describeOutcome(call.data)} ·{' '}
          <When at={call.data.started_at} className="" />
        </p>
        <Actions call={call.data} others={others} names={names} />
      </header>
      {others.length === 0 ? null : (
        <section aria-label={i18n.t('People')}>
          <h2>{i18n.t('People')}</h2>
          <ul className="person-card">
            {others.map((one) => (
              <li key={one.id} className="person-row">
                <ParticipantRow one={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Recordings of={conferenceId} />
    </Main>
  );
}
