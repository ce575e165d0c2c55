import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMe } from '../../../data/queries/me-query.ts';
import { useCallSession } from '../session/call-session.ts';
import { activeCallQuery, ownParticipant } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';
import { RichMessage } from '../../../i18n/rich-message.tsx';

/** A banner for a call in another window, with a link to it. */
export function ActiveCallBanner() {
  const me = useMe();
  // Once the account is known the home page has been requested, whose reply contains the call.
  const call = useQuery({ ...activeCallQuery, enabled: me?.gate.mobile_verified === true }).data;
  const { session } = useCallSession();
  if (call === null || call === undefined || call.state === 'ended') return null;
  // The small window already shows it.
  if (session?.join_code === call.join_code) return null;
  if (ownParticipant(call, me?.id)?.state === 'ringing') return null;
  const others = call.participants
    .filter(({ user, state }) => user?.id !== me?.id && state === 'joined')
    .map(({ name }) => name);
  return (
    <section className="banner" aria-label={i18n.t('Your call')}>
      <p>
        <RichMessage
          text={
            others.length === 0
              ? i18n.t('<b>You are in a call</b>')
              : i18n.t('<b>You are in a call</b> with {names}', { names: listNames(others, 'comma') })
          }
          parts={{ b: (words) => <strong>{words}</strong> }}
        />
      </p>
      <Link to="/call/$joinCode" params={{ joinCode: call.join_code }} className="button primary">
        {i18n.t('Return')}
      </Link>
    </section>
  );
}
