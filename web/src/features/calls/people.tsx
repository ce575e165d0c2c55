import type { Call } from '@asterism/sdk';
import { Phone, PhoneOff, UserX } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { describeLeg } from './state/phone-words.ts';
import { mayRingAgain, mayTakeBack, useOwnRings, useRingAgain, useSendAway } from './incoming/ring-acts.ts';
import type { CallParticipant } from './incoming/ring-acts.ts';

/** The states of a participant in words. */
const STATES: Readonly<Record<CallParticipant['state'], string>> = {
  ringing: 'Ringing…',
  joining: 'Coming in…',
  joined: 'In the call',
  left: 'Left',
  declined: 'Declined',
  no_answer: 'No answer',
  busy: 'Busy',
  failed: 'Could not be reached',
};

const INSIDE = new Set<CallParticipant['state']>(['joining', 'joined']);

interface ActProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onPress?: () => void;
}

function Act({ icon: Icon, label, onPress, ...rest }: ActProps) {
  return (
    <button type="button" className="button button-plain button-icon" title={label} onClick={onPress} {...rest}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

/** What the reader may do about somebody else: ring them again, take back a ring, send them away. */
function Acts({ one, is_host }: { one: CallParticipant; is_host: boolean }) {
  const again = useRingAgain();
  const away = useSendAway();
  const was_mine = useOwnRings().has(one.id);
  if (one.state === 'ringing') {
    if (!mayTakeBack(one, is_host || was_mine)) return null;
    const label = `Cancel ringing ${one.name}`;
    return <Act icon={PhoneOff} label={label} disabled={away.isPending} onPress={() => away.mutate(one)} />;
  }
  if (INSIDE.has(one.state)) {
    if (!is_host) return null;
    return (
      <Confirm
        trigger={<Act icon={UserX} label={`Send ${one.name} away`} disabled={away.isPending} />}
        title={`Send ${one.name} away?`}
        text="They leave the call and can only come back when someone calls them."
        action="Remove"
        onConfirm={() => away.mutate(one)}
      />
    );
  }
  if (!mayRingAgain(one)) return null;
  return (
    <Act icon={Phone} label={`Ring ${one.name} again`} disabled={again.isPending} onPress={() => again.mutate(one)} />
  );
}

interface PeopleProps {
  call: Call;
  user_id: string | undefined;
  is_host: boolean;
}

/** Everybody who was asked, with where they are. */
export function People({ call, user_id, is_host }: PeopleProps) {
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
              {one.leg === null ? '' : ` · ${describeLeg(one.leg.state)}`}
              {one.recording_consent === 'asked' || one.recording_consent === 'declined' ? ' · Not recorded' : ''}
            </p>
          </div>
          {one.user?.id === call.host.id ? <span className="chip">Host</span> : null}
          {one.user?.id === user_id ? null : <Acts one={one} is_host={is_host} />}
        </li>
      ))}
    </ul>
  );
}
