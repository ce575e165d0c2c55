import type { Call } from '@asterism/sdk';
import { Avatar } from '../../ui/avatar.tsx';

type State = Call['participants'][number]['state'];

/** The states of a participant in words. */
const STATES: Readonly<Record<State, string>> = {
  ringing: 'Ringing…',
  joining: 'Coming in…',
  joined: 'In the call',
  left: 'Left',
  declined: 'Declined',
  no_answer: 'No answer',
  busy: 'Busy',
  failed: 'Could not be reached',
};

/** Everybody who was asked, with where they are. */
export function People({ call, user_id }: { call: Call; user_id: string | undefined }) {
  return (
    <ul className="list" aria-label="People">
      {call.participants.map((one) => (
        <li key={one.id}>
          <Avatar name={one.user?.username ?? one.name} url={one.user?.avatar_url} size_px={38} />
          <div className="list-main">
            <p>
              {one.name}
              {one.user?.id === user_id ? ' (you)' : ''}
            </p>
            <p className="soft small" aria-live="polite">
              {STATES[one.state]}
            </p>
          </div>
          {one.user?.id === call.host.id ? <span className="chip">Host</span> : null}
        </li>
      ))}
    </ul>
  );
}
