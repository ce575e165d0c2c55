import { useParticipants } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Hand, MicOff, Phone, PhoneOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { formatPhone } from '../../i18n/phone-number.ts';
import { personBehind } from './state/person-behind.ts';
import { describeState } from './state/participant-text.ts';
import { describeLeg } from './state/phone-text.ts';
import { mayRingAgain, mayCancelRing, useRingAgain, useRemoveParticipant } from './state/ring-mutations.ts';
import { useOwnRings } from './state/own-rings.ts';
import type { CallParticipant } from './state/ring-mutations.ts';
import { PersonMenu } from './person-menu.tsx';
import { cacheCall, isReader } from '../../data/queries/call-queries.ts';
import { useCallReader } from './state/call-reader.ts';
import type { CallRole } from '../../data/queries/call-queries.ts';
import { useHand } from './react-menu.tsx';
import { i18n } from '../../i18n/i18n.ts';

const INSIDE = new Set<CallParticipant['state']>(['joining', 'joined']);

interface ActProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onPress?: () => void;
}

function Act({ icon: Icon, label, onPress, ...rest }: ActProps) {
  return (
    <button type="button" className="icon-button" title={label} onClick={onPress} {...rest}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

/** Actions on a participant: ring again, cancel the ring, remove. */
function Acts({ one, own_role }: { one: CallParticipant; own_role: CallRole }) {
  const again = useRingAgain();
  const away = useRemoveParticipant();
  const was_mine = useOwnRings().has(one.id);
  if (one.state === 'ringing') {
    if (!mayCancelRing(one, own_role !== 'guest' || was_mine)) return null;
    const label = i18n.t('Cancel ringing {name}', { name: one.name });
    return <Act icon={PhoneOff} label={label} disabled={away.isPending} onPress={() => away.mutate(one)} />;
  }
  if (INSIDE.has(one.state)) {
    return own_role === 'guest' ? null : <PersonMenu one={one} own_role={own_role} />;
  }
  if (!mayRingAgain(one)) return null;
  return (
    <Act
      icon={Phone}
      label={i18n.t('Ring {name} again', { name: one.name })}
      disabled={again.isPending}
      onPress={() => again.mutate(one)}
    />
  );
}

interface PeopleProps {
  call: Call;
  own_role: CallRole;
}

/** Whether somebody is in the call, is called, or is no longer in it. */
const presenceOf = ({ state }: CallParticipant): number => (state === 'joined' ? 0 : state === 'ringing' ? 1 : 2);

/** Raised hands first, in the order in which they were raised, then who is in the call, who is called, and everybody else. */
function inOrder(participants: readonly CallParticipant[]): CallParticipant[] {
  const raised = participants.filter(({ hand_raised_at }) => hand_raised_at !== null);
  const others = participants.filter(({ hand_raised_at }) => hand_raised_at === null);
  const at = ({ hand_raised_at }: CallParticipant) => Date.parse(hand_raised_at ?? '');
  return [
    ...raised.toSorted((one, other) => at(one) - at(other)),
    ...others.toSorted((one, other) => presenceOf(one) - presenceOf(other)),
  ];
}

/** A raised hand, which its owner and hosts can lower. */
function RaisedHand({ one, call, may_lower }: { one: CallParticipant; call: Call; may_lower: boolean }) {
  const hand = useHand(call.join_code);
  if (one.hand_raised_at === null) return null;
  if (!may_lower)
    return (
      <span className="chip">
        <Hand aria-hidden="true" size={14} />
        <span className="visually-hidden">{i18n.t('Hand raised')}</span>
      </span>
    );
  return (
    <button
      type="button"
      className="button quiet small"
      aria-label={i18n.t('Lower the hand of {name}', { name: one.name })}
      disabled={hand.isPending}
      onClick={() => hand.mutate({ raised: false, participant_id: one.id })}
    >
      <Hand aria-hidden="true" />
      {i18n.t('Lower')}
    </button>
  );
}

/** Mutes everybody else, and lowers all hands, where there is any. */
function HostActions({ call, muted }: { call: Call; muted: ReturnType<typeof useMuted> }) {
  const queries = useQueryClient();
  const { id } = useCallReader();
  const onError = (error: Error) => showToast(describeProblem(error));
  const mute = useMutation({
    mutationFn: () => sdk.callHosting.muteOthers(),
    onSuccess: ({ failed }) =>
      showToast(
        failed.length === 0
          ? i18n.t('Everyone else is muted. They can unmute themselves.')
          : i18n.t(
              '{count, plural, one {# person couldn’t be muted. Try again.} other {# people couldn’t be muted. Try again.}}',
              {
                count: failed.length,
              },
            ),
      ),
    onError,
  });
  const lower = useMutation({
    mutationFn: () => sdk.callHosting.lowerHands(),
    onSuccess: (updated) => cacheCall(queries, updated),
    onError,
  });
  const inside = call.participants.filter(({ state }) => state === 'joined');
  const has_speakers = inside.some((one) => !isReader(one, id) && !muted.has(one.id));
  const has_hands = inside.some((one) => one.hand_raised_at !== null);
  if (!has_speakers && !has_hands) return null;
  return (
    <div className="cluster host-actions">
      {has_speakers ? (
        <Confirm
          trigger={
            <button type="button" className="button quiet small" disabled={mute.isPending}>
              <MicOff aria-hidden="true" />
              {i18n.t('Mute all')}
            </button>
          }
          title={i18n.t('Mute everyone?')}
          text={i18n.t('They can unmute themselves.')}
          action={i18n.t('Mute all')}
          onConfirm={() => mute.mutate()}
        />
      ) : null}
      {has_hands ? (
        <button type="button" className="button quiet small" disabled={lower.isPending} onClick={() => lower.mutate()}>
          <Hand aria-hidden="true" />
          {i18n.t('Lower all hands')}
        </button>
      ) : null}
    </div>
  );
}

/** The identifiers of those in the call whose microphone is off. */
function useMuted(call: Call): ReadonlySet<string | undefined> {
  const muted = useParticipants().filter(({ isMicrophoneEnabled }) => !isMicrophoneEnabled);
  return new Set(muted.map((one) => personBehind(call, one)?.id));
}

/** Everybody in the call, and everybody who was called, with their state. */
export function People({ call, own_role }: PeopleProps) {
  const { id, has_account } = useCallReader();
  const muted = useMuted(call);
  return (
    <>
      {own_role === 'guest' ? null : <HostActions {...{ call, muted }} />}
      <ul className="list" aria-label={i18n.t('People')}>
        {inOrder(call.participants).map((one) => (
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
            <RaisedHand one={one} call={call} may_lower={own_role !== 'guest' || isReader(one, id)} />
            {one.user?.id === call.host.id ? <span className="chip">{i18n.t('Host')}</span> : null}
            {one.role === 'co_host' && INSIDE.has(one.state) ? <span className="chip">{i18n.t('Co-host')}</span> : null}
            {isReader(one, id) || !has_account ? null : <Acts one={one} own_role={own_role} />}
          </li>
        ))}
      </ul>
    </>
  );
}
