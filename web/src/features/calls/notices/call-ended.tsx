import type { Call } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import { useMe } from '../../../data/queries/me-query.ts';
import { ownParticipant } from '../../../data/queries/call-queries.ts';
import { useStartCall } from '../../../data/start-call.ts';
import { formatClock, togetherSince } from '../session/use-elapsed.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { CallNotice } from './call-notice.tsx';

/** How long the reader was in the call with others; undefined if they never were. */
function describeDuration(call: Call, user_id: string | undefined): string | undefined {
  const own = ownParticipant(call, user_id);
  const since = togetherSince(call.participants, own);
  const until = own?.left_at ?? call.ended_at;
  if (since === undefined || until === null) return undefined;
  return i18n.t('You talked for {clock}.', { clock: formatClock(Date.parse(until) - Date.parse(since)) });
}

/** The other person of a call of two, whom the reader can call again. */
function otherOf({ participants, group_id }: Call, user_id: string | undefined): string | undefined {
  const others = participants.filter(({ user }) => user === null || user.id !== user_id);
  return group_id === null && others.length === 1 ? others[0]?.user?.id : undefined;
}

/** The page of a call that is over: how long it was, and what to do next. */
export function CallEnded({ call }: { call: Call }) {
  const user_id = useMe()?.id;
  const start = useStartCall(call.media);
  const other_id = otherOf(call, user_id);
  return (
    <CallNotice title={i18n.t('The call is over')} text={describeDuration(call, user_id)}>
      {other_id === undefined ? null : (
        <button
          type="button"
          className="button primary"
          disabled={start.isPending}
          onClick={() => start.mutate([{ user_id: other_id }])}
        >
          <Phone aria-hidden="true" />
          {i18n.t('Call again')}
        </button>
      )}
      <Link
        to="/calls/$conferenceId"
        params={{ conferenceId: call.conference_id }}
        className={other_id === undefined ? 'button primary' : 'button quiet'}
      >
        {i18n.t('See the call')}
      </Link>
    </CallNotice>
  );
}
