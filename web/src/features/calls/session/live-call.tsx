import { RoomAudioRenderer, RoomContext } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { CallSkeleton } from '../call-skeleton.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMe } from '../../../data/queries/me-query.ts';
import { useOnline } from '../../../ui/hooks/use-online.ts';
import { GuestRequests } from './guest-requests.tsx';
import { CallHeader } from '../call-header.tsx';
import { useCaptions } from '../captions/use-captions.ts';
import { useHandNotice } from '../hands/use-hand-notice.ts';
import { useRoom } from '../media/use-room.ts';
import type { RoomState } from '../media/use-room.ts';
import { ShareLink } from '../invite/share-link.tsx';
import { Unanswered } from '../stage/unanswered.tsx';
import { callQuery, roleIn } from '../../../data/queries/call-queries.ts';
import { accountReader, CallReaderProvider } from '../state/call-reader.ts';
import type { Source } from '../state/wanted-sources.ts';
import { closeSession } from './call-session.ts';
import type { CallSession } from './call-session.ts';
import { explainEnd } from './explain-end.ts';
import { FullCall, useCallView } from './full-call.tsx';
import { MiniCall } from './mini-call.tsx';
import { useHangUp } from './use-hang-up.ts';
import { useRoleNotice } from './use-role-notice.ts';
import { useSources } from './use-sources.ts';
import type { Refusal } from './use-sources.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { i18n } from '../../../i18n/i18n.ts';
import '../call.css';

interface CallViewProps {
  call: Call;
  state: RoomState;
  user_id: string | undefined;
  is_page: boolean;
  has_captions: boolean;
  refusal: Refusal | undefined;
  onSwitch: (source: Source, on: boolean) => void;
  onHangUp: (how: 'leave' | 'end') => void;
}

/** The call in full size on its page, or as a small window beside another page. */
function CallView({ call, state, user_id, is_page, has_captions, refusal, onSwitch, onHangUp }: CallViewProps) {
  const captions = useCaptions(call.join_code, has_captions);
  const own_role = roleIn(call, user_id);
  const [is_host, is_hosting] = [own_role === 'host', own_role !== 'guest'];
  const is_broken = !useOnline() || state === 'reconnecting';
  useRoleNotice(call, user_id);
  useHandNotice(call, user_id, is_hosting);
  const onLeave = () => onHangUp('leave');
  const view = useCallView({ call, state, user_id, is_page, onSwitch, onLeave });
  const { choice, elapsed, inside, keys } = view;
  if (!is_page) return <MiniCall {...{ call, user_id, elapsed, inside, is_broken, onSwitch, onLeave }} />;
  return (
    <FullCall
      {...{ call, state, user_id, view, own_role, captions, refusal, onSwitch, onLeave }}
      onEnd={() => onHangUp('end')}
      header={
        <CallHeader
          {...{ call, state, elapsed, is_host, is_hosting, user_id, captions }}
          {...choice}
          onKeys={() => keys.onListed(true)}
          onEnd={() => onHangUp('end')}
        />
      }
      notices={
        <>
          {is_hosting ? <GuestRequests call={call} /> : null}
          <Unanswered call={call} user_id={user_id} />
          {inside ? <ShareLink call={call} /> : null}
        </>
      }
    />
  );
}

/** The call of this window, connected while it is mounted in either size. */
export function LiveCall({ session, is_page }: { session: CallSession; is_page: boolean }) {
  const { join_code } = session;
  const user_id = useMe()?.id;
  const call = useQuery(callQuery(join_code)).data;
  const { room, state, has_captions, continued, granted } = useRoom(join_code);
  const joined = { room, state, continued: session.is_chosen ? undefined : continued };
  const { refusal, choose, listWanted } = useSources(join_code, joined, session.wanted);
  const reader = useMemo(() => accountReader(user_id), [user_id]);
  const hangUp = useHangUp({ join_code, is_page, granted, listWanted });
  useWakeLock();
  const is_over = call?.state === 'ended';
  const end = hangUp.isPending ? undefined : explainEnd(state);
  useEffect(() => {
    if (!is_over && end === undefined) return;
    // The page of the call explains it itself.
    if (!is_page) showToast(is_over ? i18n.t('The call is over.') : `${end?.title ?? ''}.`);
    closeSession(is_over || end === undefined ? undefined : { ...end, join_code, wanted: listWanted() });
  }, [is_over, end?.title]);
  if (call === undefined || is_over || end !== undefined) return null;
  // After hanging up, the reader is redirected and does not see the call any more.
  if (!is_page && hangUp.isPending) return null;
  if (room === undefined) return is_page ? <CallSkeleton what={i18n.t('Connecting…')} {...{ call, user_id }} /> : null;
  return (
    <RoomContext value={room}>
      <CallReaderProvider value={reader}>
        <CallView
          {...{ call, state, user_id, is_page, has_captions, refusal }}
          onSwitch={choose}
          onHangUp={(how) => (hangUp.isPending ? undefined : hangUp.mutate(how))}
        />
      </CallReaderProvider>
      <RoomAudioRenderer />
    </RoomContext>
  );
}
