import { RoomAudioRenderer, RoomContext, StartAudio, useLocalParticipant } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { nameOf } from '../../../ui/avatar.tsx';
import { PageHeading } from '../../../ui/page.tsx';
import { CallButton, DeviceButtons } from '../call-button.tsx';
import { ConsentButtons } from '../consent-buttons.tsx';
import { CallSkeleton } from '../call-skeleton.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { localizeNames } from '../../../i18n/default-names.ts';
import { DeviceMenu } from '../media/device-menu.tsx';
import { useRoom } from '../media/use-room.ts';
import { ConnectionBanner } from '../session/connection-banner.tsx';
import { explainEnd, explainOver, mayRejoin } from '../session/explain-end.ts';
import { useUnloadPrompt } from '../session/use-unload-prompt.ts';
import { useElapsed } from '../session/use-elapsed.ts';
import { useSources } from '../session/use-sources.ts';
import { useWakeLock } from '../session/use-wake-lock.ts';
import { CaptionBar } from '../captions/caption-bar.tsx';
import { useIdleControls } from '../stage/use-idle-controls.ts';
import { ReactionsProvider } from '../stage/reactions.tsx';
import { usePin } from '../stage/use-pin.ts';
import { Stage } from '../stage/stage.tsx';
import { forgetSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { useSide } from '../chat/use-side.ts';
import { GuestChat } from './guest-chat.tsx';
import { guestCallKey } from '../state/guest-queries.ts';
import type { GuestClient } from './guest-session.ts';
import { HangUp } from '../hang-up.tsx';
import { i18n } from '../../../i18n/i18n.ts';

const participantOf = (call: Call, identity: string | undefined) => call.participants.find(({ id }) => id === identity);

function GuestControls({
  onSwitch,
  side,
  onLeave,
}: {
  side: ReturnType<typeof useSide>;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
}) {
  return (
    <div className="call-controls" role="group" aria-label={i18n.t('Your devices')}>
      <DeviceButtons onSwitch={onSwitch} />
      <DeviceMenu />
      <CallButton icon={MessageSquare} label={i18n.t('Chat')} expanded={side.shown} onPress={side.toggle}>
        <Badge count={side.unread_count} what={i18n.t('new messages')} />
      </CallButton>
      <CallButton icon={HangUp} label={i18n.t('Leave')} leaves onPress={onLeave} />
    </div>
  );
}

/** Asks a guest for consent before recording them. */
function GuestConsent({ call, client, onAnswered }: { call: Call; client: GuestClient; onAnswered: () => void }) {
  const { localParticipant } = useLocalParticipant();
  const answer = useMutation({
    mutationFn: (agreed: boolean) =>
      client.sdk.recordings.setRecordingConsent({ path: { join_code: call.join_code }, body: { agreed } }),
    onSuccess: onAnswered,
    onError: (error) => showToast(describeProblem(error)),
  });
  const is_asked =
    call.recording !== null && participantOf(call, localParticipant.identity)?.recording_consent === 'asked';
  return (
    <div role="alert">
      {is_asked ? (
        <div className="notice call-notice" data-tone="danger">
          <p>
            <strong>{i18n.t('This call is being recorded.')}</strong> {i18n.t('Do you agree to be recorded?')}
          </p>
          <ConsentButtons answer={answer} />
        </div>
      ) : null}
    </div>
  );
}

function GuestHeader({ host, elapsed }: { host: Call['host']; elapsed: string | undefined }) {
  return (
    <header className="call-header">
      <div className="call-title">
        <div className="call-name">
          <PageHeading title={i18n.t('With {name}', { name: nameOf(host) })} />
          {elapsed === undefined ? null : (
            <span className="call-clock" role="timer" aria-label={i18n.t('Time in this call')}>
              {elapsed}
            </span>
          )}
        </div>
      </div>
    </header>
  );
}

/** Why a guest is no longer in the call. */
export interface EndReason {
  readonly title: string;
  readonly text: string;
  /** Whether they can come back without asking again. */
  readonly may_rejoin?: boolean;
}

interface GuestCallProps {
  join_code: string;
  client: GuestClient;
  guest_id: string;
  wanted: readonly Source[];
  /** Called with the reason when the call has ended. */
  onEnd: (reason: EndReason) => void;
}

/** A guest's view of the call: the stage, and their own devices. */
export function GuestCall({ join_code, client, guest_id, wanted, onEnd }: GuestCallProps) {
  const askGrant = useCallback(
    (code: string) => client.sdk.calls.createSfuGrant({ path: { join_code: code }, body: { asks_consent: true } }),
    [client],
  );
  const { room, state } = useRoom(join_code, askGrant);
  const { refusal, choose } = useSources(join_code, room, state, wanted);
  const call = useQuery({
    queryKey: guestCallKey(join_code),
    queryFn: async ({ signal }) => localizeNames(await client.sdk.calls.getCall({ path: { join_code }, signal })),
    enabled: state === 'connected',
  });
  const side = useSide(join_code, state === 'connected' || state === 'reconnecting', client.sdk);
  const pin = usePin();
  const is_bare = useIdleControls(state === 'connected' && !side.shown);
  useWakeLock();
  useUnloadPrompt(state === 'connected' || state === 'reconnecting');
  const own = call.data && participantOf(call.data, room?.localParticipant.identity);
  const elapsed = useElapsed(own?.joined_at);
  const is_over = call.data?.state === 'ended';
  const end = is_over ? explainOver() : explainEnd(state);
  useEffect(() => {
    if (end !== undefined) onEnd({ ...end, may_rejoin: !is_over && mayRejoin(state) });
  }, [end?.title]);
  const leave = async () => {
    forgetSources();
    await room?.disconnect();
    await client.sdk.calls.leaveCall({ path: { join_code } }).catch(() => undefined);
    onEnd({ title: i18n.t('You left the call'), text: i18n.t('You can close this page.') });
  };
  if (room === undefined || call.data === undefined) return <CallSkeleton what={i18n.t('Connecting…')} />;
  return (
    <RoomContext value={room}>
      <main
        id="main"
        className="call night"
        data-side={side.shown ? 'shown' : undefined}
        data-bare={is_bare ? '' : undefined}
      >
        <GuestHeader host={call.data.host} elapsed={elapsed} />
        <section className="call-stage" aria-label={i18n.t('Stage')}>
          <ConnectionBanner state={state} />
          <GuestConsent call={call.data} client={client} onAnswered={() => void call.refetch()} />
          {refusal === undefined ? null : (
            <p className="notice call-notice" data-tone="danger" role="alert">
              {refusal.text}
            </p>
          )}
          <ReactionsProvider join_code={join_code}>
            <Stage call={call.data} user_id={undefined} is_host={false} layout="gallery" pin={pin} is_bare={is_bare} />
          </ReactionsProvider>
          <CaptionBar call={call.data} />
          <StartAudio label={i18n.t('Turn on sound')} className="button primary call-hear" />
        </section>
        <GuestChat join_code={join_code} client={client} guest_id={guest_id} />
        <GuestControls onSwitch={choose} side={side} onLeave={() => void leave()} />
      </main>
      <RoomAudioRenderer />
    </RoomContext>
  );
}
