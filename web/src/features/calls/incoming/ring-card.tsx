import type { Call } from '@asterism/sdk';
import { useRouter } from '@tanstack/react-router';
import { BellOff, Eye, MessageCircle, Phone, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { nameOf } from '../../../ui/avatar.tsx';
import { Net } from '../../../ui/brand/tag-sky.tsx';
import { useCallSession } from '../session/call-session.ts';
import { startRinging } from './ring-tone.ts';
import { useAnswers } from './use-answers.ts';
import { CallAvatar } from '../call-avatar.tsx';
import { loadLiveCall } from '../session/call-host.tsx';
import { callerOf } from '../../../data/queries/call-queries.ts';
import { HangUp } from '../hang-up.tsx';
import { startRingMotion } from '../stage/ring-motion.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';
import './ring-card.css';

/** Closes the system notification of a ring while the page is visible, and when the ring is over. */
function useDismissNotification(conference_id: string): void {
  useEffect(() => {
    const clear = () =>
      void import('../../push/device-push.ts')
        .then(({ closeRingNotice }) => closeRingNotice(conference_id))
        .catch(() => undefined);
    if (document.hasFocus()) clear();
    window.addEventListener('focus', clear);
    return () => {
      window.removeEventListener('focus', clear);
      clear();
    };
  }, [conference_id]);
}

/** Plays the ringtone until it is silenced or answered. */
function useRingTone(is_answered: boolean) {
  const [quiet, setQuiet] = useState(false);
  const plays = !quiet && !is_answered;
  useEffect(() => (plays ? startRinging() : undefined), [plays]);
  return { quiet, onQuiet: () => setQuiet(true) };
}

/** Alt A and Alt D accept and decline. Work regardless of focus; other keys never answer a call. */
function useRingKeys(onAccept: () => void, onDecline: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
      const action = event.code === 'KeyA' ? onAccept : event.code === 'KeyD' ? onDecline : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Who is in the call; undefined if only the caller is, whose name is shown above. */
function describeInside(call: Call): string | undefined {
  const joined = call.participants.filter((one) => one.state === 'joined');
  if (joined.every(({ user }) => user?.id === call.host.id)) return undefined;
  const inside = joined.map((one) => one.name);
  const names = listNames(inside.slice(0, 3), 'comma');
  if (inside.length === 1) return i18n.t('{names} is in the call.', { names });
  return inside.length > 3
    ? i18n.t('{count} people are in the call: {names}…', { count: inside.length, names })
    : i18n.t('{count} people are in the call: {names}.', { count: inside.length, names });
}

/** Loads the page of the call, and the media client, while it rings: an accepted call opens without waiting for code. */
function usePreloadCall(join_code: string): void {
  const router = useRouter();
  useEffect(() => {
    const parts = [router.preloadRoute({ to: '/call/$joinCode', params: { joinCode: join_code } }), loadLiveCall()];
    // What fails to load now is loaded when the call is accepted.
    void Promise.allSettled(parts);
  }, [router, join_code]);
}

interface MoreProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onPress: () => void;
}

function More({ icon: Icon, label, disabled = false, onPress }: MoreProps) {
  return (
    <button type="button" className="ringing-more" disabled={disabled} onClick={onPress}>
      <Icon aria-hidden="true" size={20} />
      {label}
    </button>
  );
}

/** Who calls: the host, or a guest of the reader's widget. People added by the widget's owner are called by the owner. */
const nameOfCaller = (call: Call, user_id: string | undefined): string =>
  callerOf(call, user_id)?.guest?.name ?? nameOf(call.host);

/** Who calls, and who is in the call already. */
function Caller({ call, user_id }: { call: Call; user_id: string | undefined }) {
  const is_guest = callerOf(call, user_id)?.guest != null;
  const caller = is_guest ? i18n.t('A guest of your widget') : `@${call.host.username}`;
  const inside = describeInside(call);
  return (
    <div className="ringing-who">
      <span className="ring-pulse">
        <CallAvatar call={call} user_id={user_id} size_px={56} />
      </span>
      <div>
        <h2 dir="auto">{nameOfCaller(call, user_id)}</h2>
        <p>
          {call.media === 'video'
            ? i18n.t('{name} is calling you with video', { name: caller })
            : i18n.t('{name} is calling you', { name: caller })}
        </p>
        {inside === undefined ? null : <p className="ringing-inside">{inside}</p>}
      </div>
    </div>
  );
}

interface RingCardProps {
  call: Call;
  /** The calls that ring at the same time, whose cards follow. */
  later: readonly Call[];
  user_id: string | undefined;
}

/**
 * The card of an incoming call, with buttons to answer. It takes no focus and covers as little as possible, so that
 * typing is not interrupted.
 */
export function RingCard({ call, later, user_id }: RingCardProps) {
  const guest = callerOf(call, user_id)?.guest ?? undefined;
  const { session } = useCallSession();
  const { accept, decline, lookFirst, writeInstead } = useAnswers(call);
  const tone = useRingTone(accept.isPending || decline.isPending);
  useDismissNotification(call.conference_id);
  usePreloadCall(call.join_code);
  const card = useRef<HTMLElement>(null);
  const answer = (with_camera: boolean) => {
    if (accept.isPending) return;
    startRingMotion(call, user_id, card.current);
    accept.mutate(with_camera);
  };
  const onAccept = () => answer(false);
  const onAcceptSeen = () => answer(true);
  const onDecline = () => (decline.isPending ? undefined : decline.mutate());
  useRingKeys(onAccept, onDecline);
  const name = nameOfCaller(call, user_id);
  const is_video = call.media === 'video';
  // Beside the page in the document, so that an open sheet does not make it inert.
  return createPortal(
    <section ref={card} className="ringing night" aria-label={i18n.t('Incoming call')}>
      <Net name={call.host.username} />
      <p className="visually-hidden" role="alert">
        {is_video
          ? i18n.t('{name} is calling you with video. Alt A accepts, Alt D declines.', { name })
          : i18n.t('{name} is calling you. Alt A accepts, Alt D declines.', { name })}
      </p>
      <Caller call={call} user_id={user_id} />
      {call.recording === null ? null : (
        <p className="notice" data-tone="danger">
          {i18n.t('This call is being recorded. Accept if you agree to be recorded.')}
        </p>
      )}
      <p role="status" className="ringing-later">
        {later.length === 0
          ? null
          : i18n.t('{count, plural, one {{names} is calling you, too.} other {{names} are calling you, too.}}', {
              count: later.length,
              names: listNames(later.map((one) => nameOfCaller(one, user_id))),
            })}
      </p>
      <div className="ringing-actions">
        <button type="button" className="button red" disabled={decline.isPending} onClick={onDecline}>
          <HangUp aria-hidden="true" />
          {i18n.t('Decline')}
        </button>
        <button type="button" className="button green" disabled={accept.isPending} onClick={onAccept}>
          <Phone aria-hidden="true" />
          {session === undefined ? i18n.t('Accept') : i18n.t('End and accept')}
        </button>
      </div>
      <div className="ringing-actions">
        {guest ? null : <More icon={MessageCircle} label={i18n.t('Message')} onPress={writeInstead} />}
        <More icon={Video} label={i18n.t('With camera')} disabled={accept.isPending} onPress={onAcceptSeen} />
        {session === undefined ? <More icon={Eye} label={i18n.t('Preview')} onPress={lookFirst} /> : null}
        <More
          icon={BellOff}
          label={tone.quiet ? i18n.t('Silenced') : i18n.t('Silence')}
          disabled={tone.quiet}
          onPress={tone.onQuiet}
        />
      </div>
    </section>,
    document.body,
  );
}
