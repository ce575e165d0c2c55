import { useParticipants } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { MicOff, Phone, PhoneOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { participantOf } from './state/media-identity.ts';
import { describeState } from './state/participant-text.ts';
import { describeLeg } from './state/phone-text.ts';
import { mayRingAgain, mayCancelRing, useRingAgain, useRemoveParticipant } from './state/ring-mutations.ts';
import { useOwnRings } from './state/own-rings.ts';
import type { CallParticipant } from './state/ring-mutations.ts';
import { PersonMenu } from './person-menu.tsx';
import { isReader } from '../../data/queries/call-queries.ts';
import { useCallReader } from './state/call-reader.ts';
import type { CallRole } from '../../data/queries/call-queries.ts';
import { RaisedHand } from './hands/raised-hand.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { orderParticipants } from './state/order-participants.ts';
import { HostActions } from './host-actions.tsx';

const INSIDE = new Set<CallParticipant['state']>(['joining', 'joined']);

interface ActionButtonProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onPress?: () => void;
}

function ActionButton({ icon: Icon, label, onPress, ...rest }: ActionButtonProps) {
  return (
    <button type="button" className="icon-button" title={label} onClick={onPress} {...rest}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

interface ParticipantProps {
  one: CallParticipant;
  own_role: CallRole;
  is_muted: boolean;
}

/** Actions on a participant: ring again, cancel the ring, mute, remove. */
function ParticipantActions({ one, own_role, is_muted }: ParticipantProps) {
  const ringAgain = useRingAgain();
  const remove = useRemoveParticipant();
  const is_own_ring = useOwnRings().has(one.id);
  if (one.state === 'ringing') {
    if (!mayCancelRing(one, own_role !== 'guest' || is_own_ring)) return null;
    const label = i18n.t('Cancel ringing {name}', { name: one.name });
    return (
      <ActionButton icon={PhoneOff} label={label} disabled={remove.isPending} onPress={() => remove.mutate(one)} />
    );
  }
  if (INSIDE.has(one.state)) {
    return own_role === 'guest' ? null : <PersonMenu {...{ one, own_role, is_muted }} />;
  }
  if (!mayRingAgain(one)) return null;
  return (
    <ActionButton
      icon={Phone}
      label={i18n.t('Ring {name} again', { name: one.name })}
      disabled={ringAgain.isPending}
      onPress={() => ringAgain.mutate(one)}
    />
  );
}

interface PeopleProps {
  call: Call;
  own_role: CallRole;
}

/** The identifiers of those in the call whose microphone is off. */
function useMuted(call: Call): ReadonlySet<string | undefined> {
  const muted = useParticipants().filter(({ isMicrophoneEnabled }) => !isMicrophoneEnabled);
  return new Set(muted.map((one) => participantOf(call, one)?.id));
}

/** Everybody in the call, and everybody who was called, with their state. */
export function People({ call, own_role }: PeopleProps) {
  const { id, has_account } = useCallReader();
  const muted = useMuted(call);
  return (
    <>
      {own_role === 'guest' ? null : <HostActions {...{ call, muted }} />}
      <ul className="list" aria-label={i18n.t('People')}>
        {orderParticipants(call.participants).map((one) => (
          <li key={one.id}>
            <Avatar name={one.user?.username ?? one.name} called={one.name} url={one.user?.avatar_url} size_px={38} />
            <div className="list-main">
              <p>{isReader(one, id) ? i18n.t('{name} (you)', { name: one.name }) : formatPhone(one.name)}</p>
              <p className="soft small" aria-live="polite">
                {describeState(one.state)}
                {one.guest === null ? '' : ` · ${i18n.t('Guest')}`}
                {one.leg === null ? '' : ` · ${describeLeg(one.leg.state)}`}
                {one.recording_consent === 'asked' || one.recording_consent === 'declined'
                  ? ` · ${i18n.t('Not recorded')}`
                  : ''}
              </p>
            </div>
            {muted.has(one.id) ? (
              <span className="soft">
                <MicOff aria-hidden="true" size={18} />
                <span className="visually-hidden">{i18n.t('Muted')}</span>
              </span>
            ) : null}
            <RaisedHand one={one} call={call} is_own={isReader(one, id)} is_hosting={own_role !== 'guest'} />
            {one.user?.id === call.host.id ? <span className="chip">{i18n.t('Host')}</span> : null}
            {one.role === 'co_host' && INSIDE.has(one.state) ? <span className="chip">{i18n.t('Co-host')}</span> : null}
            {isReader(one, id) || !has_account ? null : (
              <ParticipantActions {...{ one, own_role }} is_muted={muted.has(one.id)} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
