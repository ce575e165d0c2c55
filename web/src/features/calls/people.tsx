import type { Call } from '@asterism/sdk';
import { Hand, Phone, PhoneOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { describeLeg } from './state/phone-words.ts';
import { mayRingAgain, mayTakeBack, useOwnRings, useRingAgain, useSendAway } from './incoming/ring-acts.ts';
import type { CallParticipant } from './incoming/ring-acts.ts';
import { PersonMenu } from './person-menu.tsx';
import type { Standing } from './state/call-queries.ts';
import { useHand } from './react-menu.tsx';

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
function Acts({ one, standing }: { one: CallParticipant; standing: Standing }) {
  const again = useRingAgain();
  const away = useSendAway();
  const was_mine = useOwnRings().has(one.id);
  if (one.state === 'ringing') {
    if (!mayTakeBack(one, standing !== 'guest' || was_mine)) return null;
    const label = `Cancel ringing ${one.name}`;
    return <Act icon={PhoneOff} label={label} disabled={away.isPending} onPress={() => away.mutate(one)} />;
  }
  if (INSIDE.has(one.state)) {
    return standing === 'guest' || one.role === 'host' ? null : <PersonMenu one={one} standing={standing} />;
  }
  if (!mayRingAgain(one)) return null;
  return (
    <Act icon={Phone} label={`Ring ${one.name} again`} disabled={again.isPending} onPress={() => again.mutate(one)} />
  );
}

interface PeopleProps {
  call: Call;
  user_id: string | undefined;
  standing: Standing;
}

/** Who has a hand raised, whoever raised it first in front, before everybody else. */
function inOrder(participants: readonly CallParticipant[]): CallParticipant[] {
  const raised = participants.filter(({ hand_raised_at }) => hand_raised_at !== null);
  const at = ({ hand_raised_at }: CallParticipant) => Date.parse(hand_raised_at ?? '');
  return [
    ...raised.toSorted((one, other) => at(one) - at(other)),
    ...participants.filter(({ hand_raised_at }) => hand_raised_at === null),
  ];
}

/** A raised hand, which the host and whoever raised it can lower. */
function RaisedHand({ one, call, may_lower }: { one: CallParticipant; call: Call; may_lower: boolean }) {
  const hand = useHand(call.join_code);
  if (one.hand_raised_at === null) return null;
  if (!may_lower)
    return (
      <span className="chip">
        <Hand aria-hidden="true" size={14} />
        <span className="visually-hidden">Hand raised</span>
      </span>
    );
  return (
    <button
      type="button"
      className="btn quiet small"
      disabled={hand.isPending}
      onClick={() => hand.mutate({ raised: false, participant_id: one.id })}
    >
      <Hand aria-hidden="true" />
      Lower<span className="visually-hidden"> the hand of {one.name}</span>
    </button>
  );
}

/** Everybody who was asked, with where they are. */
export function People({ call, user_id, standing }: PeopleProps) {
  return (
    <ul className="list" aria-label="People">
      {inOrder(call.participants).map((one) => (
        <li key={one.id}>
          <Avatar name={one.user?.username ?? one.name} url={one.user?.avatar_url} size_px={38} />
          <div className="list-main">
            <p>
              {one.name}
              {one.user?.id === user_id ? ' (you)' : ''}
            </p>
            <p className="soft small" aria-live="polite">
              {STATES[one.state]}
              {one.guest === null ? '' : ' · Guest'}
              {one.leg === null ? '' : ` · ${describeLeg(one.leg.state)}`}
              {one.recording_consent === 'asked' || one.recording_consent === 'declined' ? ' · Not recorded' : ''}
            </p>
          </div>
          <RaisedHand one={one} call={call} may_lower={standing !== 'guest' || one.user?.id === user_id} />
          {one.user?.id === call.host.id ? <span className="chip">Host</span> : null}
          {one.role === 'co_host' && INSIDE.has(one.state) ? <span className="chip">Co-host</span> : null}
          {one.user?.id === user_id ? null : <Acts one={one} standing={standing} />}
        </li>
      ))}
    </ul>
  );
}
