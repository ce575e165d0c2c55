import type { Call } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { BellOff, Phone, PhoneOff, Video } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../../asterism.ts';
import { isRefused } from '../../../queries.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { describeProblem } from '../../../ui/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMe } from '../../me/me-query.ts';
import { closeRingNotice } from '../../push/device-push.ts';
import { activeCallQuery, callQuery, keepCall, placeIn } from '../state/call-queries.ts';
import { startRinging } from './ring-tone.ts';

/** The call that rings here: what the stream has told of, or what rang already when the page was opened. */
function useRingingCall(user_id: string | undefined): Call | undefined {
  const queries = useQueryClient();
  const active = useQuery({ ...activeCallQuery, enabled: user_id !== undefined }).data;
  const known = useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => {
      const calls = queries.getQueryCache().findAll({ queryKey: ['call'] });
      return calls.map((query) => query.state.data as Call | undefined).find((call) => isRinging(call, user_id));
    },
  );
  return known ?? (isRinging(active ?? undefined, user_id) ? (active ?? undefined) : undefined);
}

/** The guest of a widget who began a call, which is then its owner's. */
const guestOf = (call: Call) => call.participants.find((one) => one.guest !== null)?.guest ?? undefined;

function isRinging(call: Call | undefined, user_id: string | undefined): boolean {
  if (call === undefined || user_id === undefined || call.state === 'ended') return false;
  const is_called = call.host.id !== user_id || guestOf(call) !== undefined;
  return is_called && placeIn(call, user_id)?.state === 'ringing';
}

/** Keeps the device's own notice of a ring away while somebody looks at the page, and when the ring is over. */
function useNoNotice(conference_id: string): void {
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

function describeInside(call: Call): string {
  const inside = call.participants.filter((one) => one.state === 'joined').map((one) => one.name);
  if (inside.length === 0) return '';
  const names = inside.slice(0, 3).join(', ');
  return inside.length === 1
    ? `${names} is in it.`
    : `${inside.length} people are in it: ${names}${inside.length > 3 ? '…' : '.'}`;
}

/** Rings until the reader wants it quiet. */
function useRingTone() {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => (quiet ? undefined : startRinging()), [quiet]);
  return { quiet, onQuiet: () => setQuiet(true) };
}

function useAnswers(call: Call) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { joinCode: call.join_code };
  const decline = useMutation({
    mutationFn: () => sdk.calls.declineCall({ path: { join_code: call.join_code } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: (_answer, error) => {
      // It rings on where nobody heard of the answer.
      if (error && !isRefused(error)) return;
      queries.removeQueries({ queryKey: callQuery(call.join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
  const goIn = (camera: boolean) => {
    // The ring is answered by asking for the media grant, which the call page does; here it only falls silent.
    const participants = call.participants.map((one) =>
      one.state === 'ringing' && one === placeIn(call, queries.getQueryData<{ id: string }>(['me'])?.id)
        ? { ...one, state: 'joining' as const }
        : one,
    );
    keepCall(queries, { ...call, participants });
    void navigate({ to: '/call/$joinCode', params, search: { camera: camera ? 'on' : undefined } });
  };
  return { decline, goIn, lookFirst: () => void navigate({ to: '/j/$joinCode', params }) };
}

function Answers({ call, accept }: { call: Call; accept: RefObject<HTMLButtonElement | null> }) {
  const { decline, goIn, lookFirst } = useAnswers(call);
  const tone = useRingTone();
  return (
    <div className="ring-actions">
      <button
        type="button"
        className="button button-danger"
        disabled={decline.isPending}
        onClick={() => decline.mutate()}
      >
        <PhoneOff aria-hidden="true" />
        Decline
      </button>
      <button type="button" ref={accept} className="button button-accept" onClick={() => goIn(false)}>
        <Phone aria-hidden="true" />
        Accept
      </button>
      <button type="button" className="button button-quiet" disabled={tone.quiet} onClick={tone.onQuiet}>
        <BellOff aria-hidden="true" />
        {tone.quiet ? 'Silenced' : 'Silence'}
      </button>
      <button type="button" className="button button-accept" onClick={() => goIn(true)}>
        <Video aria-hidden="true" />
        With camera
      </button>
      <button type="button" className="button button-plain ring-look" onClick={lookFirst}>
        Look at myself first
      </button>
    </div>
  );
}

function Sheet({ call }: { call: Call }) {
  const me = useQueryClient().getQueryData<{ id: string }>(['me'])?.id;
  // Whom the owner of the widget calls in is called by the owner.
  const guest = call.host.id === me ? guestOf(call) : undefined;
  const accept = useRef<HTMLButtonElement>(null);
  useNoNotice(call.conference_id);
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-veil" />
        <AlertDialog.Content
          className="dialog ring-sheet night"
          onEscapeKeyDown={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            accept.current?.focus();
          }}
        >
          <span className="ring-pulse">
            <Avatar name={guest?.name ?? call.host.username} url={guest ? null : call.host.avatar_url} size_px={84} />
          </span>
          <AlertDialog.Title>{guest?.name ?? nameOf(call.host)}</AlertDialog.Title>
          <AlertDialog.Description className="soft">
            {guest ? 'A guest of your widget' : `@${call.host.username}`} is calling you
            {call.media === 'video' ? ' with video' : ''}
          </AlertDialog.Description>
          <p className="soft small">{describeInside(call)}</p>
          {call.recording === null ? null : (
            <p className="notice" data-tone="danger">
              This call is being recorded. Accept if you agree that what you say and show is saved.
            </p>
          )}
          <Answers call={call} accept={accept} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Stands on every signed-in page and shows who calls. */
export function IncomingCall() {
  const me = useMe();
  const call = useRingingCall(me?.gate.mobile_verified === true ? me.id : undefined);
  // Its own pages are where a call is answered: until the media grant is had, it still says that it rings.
  const answering = useLocation({
    select: ({ pathname }) => [`/call/${call?.join_code ?? ''}`, `/j/${call?.join_code ?? ''}`].includes(pathname),
  });
  return call === undefined || answering ? null : <Sheet key={call.join_code} call={call} />;
}
