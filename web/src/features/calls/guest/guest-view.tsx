import type { Call } from '@asterism/sdk';
import { nameOf } from '../../../ui/avatar.tsx';
import { CallMenu } from '../call-menu.tsx';
import { CallTitleBar } from '../call-title-bar.tsx';
import { RecordingMark } from '../recording.tsx';
import { useHandNotice } from '../hands/use-hand-notice.ts';
import { useCaptions } from '../captions/use-captions.ts';
import type { Captions } from '../captions/use-captions.ts';
import type { RoomState } from '../media/use-room.ts';
import { FullCall, useCallView } from '../session/full-call.tsx';
import type { Refusal } from '../session/use-sources.ts';
import type { LayoutChoice } from '../stage/use-layout-choice.ts';
import { useCallReader } from '../state/call-reader.ts';
import type { Source } from '../state/wanted-sources.ts';
import { i18n } from '../../../i18n/i18n.ts';
import '../call.css';

interface GuestHeaderProps extends LayoutChoice {
  call: Call;
  state: RoomState;
  elapsed: string | undefined;
  captions: Captions;
  onKeys: () => void;
}

function GuestHeader({ call, state, elapsed, ...menu }: GuestHeaderProps) {
  return (
    <header className="call-header">
      <CallTitleBar title={i18n.t('With {name}', { name: nameOf(call.host) })} {...{ call, state, elapsed }} />
      <RecordingMark call={call} />
      <CallMenu call={call} is_host={false} {...menu} />
    </header>
  );
}

interface GuestViewProps {
  call: Call;
  state: RoomState;
  refusal: Refusal | undefined;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
}

/** The call of a guest: as for a participant with an account, without what hosts do and what `CallReader` excludes. */
export function GuestView({ call, state, refusal, onSwitch, onLeave }: GuestViewProps) {
  const { id: user_id } = useCallReader();
  useHandNotice(call, user_id, false);
  const captions = useCaptions(call.join_code, false);
  const view = useCallView({ call, state, user_id, is_page: true, onSwitch, onLeave });
  const { choice, elapsed, keys } = view;
  return (
    <FullCall
      {...{ call, state, user_id, view, captions, refusal, onSwitch, onLeave }}
      own_role="guest"
      header={<GuestHeader {...{ call, state, elapsed, captions }} {...choice} onKeys={() => keys.onListed(true)} />}
    />
  );
}
