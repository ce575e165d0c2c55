import { RoomAudioRenderer, RoomContext } from '@livekit/components-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { localizeNames } from '../../../i18n/default-names.ts';
import { CallSkeleton } from '../call-skeleton.tsx';
import { useRoom } from '../media/use-room.ts';
import { explainEnd, explainCallEnded, mayRejoin } from '../session/explain-end.ts';
import { useSources } from '../session/use-sources.ts';
import { useUnloadPrompt } from '../session/use-unload-prompt.ts';
import { useWakeLock } from '../session/use-wake-lock.ts';
import { CallReaderProvider, guestReader } from '../state/call-reader.ts';
import { guestCallKey } from '../state/guest-queries.ts';
import { forgetSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import type { GuestClient } from './guest-session.ts';
import { GuestView } from './guest-view.tsx';
import { i18n } from '../../../i18n/i18n.ts';

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

/** The call of a guest, connected while it is mounted. */
export function GuestCall({ join_code, client, guest_id, wanted, onEnd }: GuestCallProps) {
  const askGrant = useCallback(
    (code: string) => client.sdk.calls.createSfuGrant({ path: { join_code: code }, body: { asks_consent: true } }),
    [client],
  );
  const { room, state } = useRoom(join_code, askGrant);
  const { refusal, choose } = useSources(join_code, { room, state, continued: undefined }, wanted);
  const call = useQuery({
    queryKey: guestCallKey(join_code),
    queryFn: async ({ signal }) => localizeNames(await client.sdk.calls.getCall({ path: { join_code }, signal })),
    enabled: state === 'connected',
  });
  const reader = useMemo(() => guestReader(guest_id, client.sdk), [guest_id, client]);
  useWakeLock();
  useUnloadPrompt(state === 'connected' || state === 'reconnecting');
  const is_over = call.data?.state === 'ended';
  const end = is_over ? explainCallEnded() : explainEnd(state);
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
      <CallReaderProvider value={reader}>
        <GuestView call={call.data} {...{ state, refusal }} onSwitch={choose} onLeave={() => void leave()} />
      </CallReaderProvider>
      <RoomAudioRenderer />
    </RoomContext>
  );
}
