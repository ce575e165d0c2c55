import type { Call } from '@asterism/sdk';
import { BellOff, Eye, MessageCircle, Phone, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Net } from '../../../ui/brand/tag-sky.tsx';
import { closeRingNotice } from '../../push/device-push.ts';
import { useCallSession } from '../session/call-session.ts';
import { startRinging } from './ring-tone.ts';
import { useAnswers } from './use-answers.ts';
import { HangUp } from '../hang-up.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';

/** The widget guest who started a call, which is hosted by the widget's owner. */
export const guestOf = (call: Call) => call.participants.find((one) => one.guest !== null)?.guest ?? undefined;

/** Closes the system notification of a ring while the page is visible, and when the ring is over. */
function useDismissNotification(conference_id: string): void {
  useEffect(() => {
    const clear = () => void closeRingNotice(conference_id).catch(() => undefined);
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

/** Alt A accepts and Alt D declines, whatever is focused: no other typing answers a call. */
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

function CallerFace({ call }: { call: Call }) {
  const guest = guestOf(call);
  if (guest !== undefined) return <Avatar name={guest.name} size_px={56} />;
  return <Avatar name={call.host.username} called={nameOf(call.host)} url={call.host.avatar_url} size_px={56} />;
}

/**
 * The card of an incoming call, with buttons to answer. It takes no focus and covers as little as possible, so that
 * typing is not interrupted.
 */
export function RingCard({ call, user_id }: { call: Call; user_id: string | undefined }) {
  // People added by the widget's owner are called by the owner.
  const guest = call.host.id === user_id ? guestOf(call) : undefined;
  const { session } = useCallSession();
  const { accept, decline, lookFirst, writeInstead } = useAnswers(call);
  const tone = useRingTone(accept.isPending || decline.isPending);
  useDismissNotification(call.conference_id);
  const onAccept = () => (accept.isPending ? undefined : accept.mutate(false));
  const onAcceptSeen = () => accept.mutate(true);
  const onDecline = () => (decline.isPending ? undefined : decline.mutate());
  useRingKeys(onAccept, onDecline);
  const name = guest?.name ?? nameOf(call.host);
  const caller = guest ? i18n.t('A guest of your widget') : `@${call.host.username}`;
  const inside = describeInside(call);
  const is_video = call.media === 'video';
  // Beside the page in the document, so that an open sheet does not make it inert.
  return createPortal(
    <section className="ringing night" aria-label={i18n.t('Incoming call')}>
      <Net name={call.host.username} />
      <p className="visually-hidden" role="alert">
        {is_video
          ? i18n.t('{name} is calling you with video. Alt A accepts, Alt D declines.', { name })
          : i18n.t('{name} is calling you. Alt A accepts, Alt D declines.', { name })}
      </p>
      <div className="ringing-who">
        <span className="ring-pulse">
          <CallerFace call={call} />
        </span>
        <div>
          <h2 dir="auto">{name}</h2>
          <p>
            {is_video
              ? i18n.t('{name} is calling you with video', { name: caller })
              : i18n.t('{name} is calling you', { name: caller })}
          </p>
          {inside === undefined ? null : <p className="ringing-inside">{inside}</p>}
        </div>
      </div>
      {call.recording === null ? null : (
        <p className="notice" data-tone="danger">
          {i18n.t('This call is being recorded. Accept if you agree to be recorded.')}
        </p>
      )}
      <div className="ringing-actions">
        <button type="button" className="btn red" disabled={decline.isPending} onClick={onDecline}>
          <HangUp aria-hidden="true" />
          {i18n.t('Decline')}
        </button>
        <button type="button" className="btn green" disabled={accept.isPending} onClick={onAccept}>
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
