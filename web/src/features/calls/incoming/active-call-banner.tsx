import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMe } from '../../me/me-query.ts';
import { useCallSession } from '../session/call-session.ts';
import { activeCallQuery, placeIn } from '../state/call-queries.ts';

/** Says that a call goes on in another window, with the way into it. */
export function ActiveCallBanner() {
  const me = useMe();
  const call = useQuery(activeCallQuery).data;
  const { session } = useCallSession();
  if (call === null || call === undefined || call.state === 'ended') return null;
  // The small window shows it already.
  if (session?.join_code === call.join_code) return null;
  if (placeIn(call, me?.id)?.state === 'ringing') return null;
  const others = call.participants.filter((one) => one.user?.id !== me?.id).map((one) => one.name);
  return (
    <section className="banner" aria-label="Your call">
      <p>
        <strong>You are in a call</strong>
        {others.length === 0 ? '' : ` with ${others.join(', ')}`}
      </p>
      <Link to="/call/$joinCode" params={{ joinCode: call.join_code }} className="button">
        Return
      </Link>
    </section>
  );
}
