import { StartAudio } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { nameOf } from '../../../ui/avatar.tsx';
import { PageHeading } from '../../../ui/page.tsx';
import { ownParticipant } from '../../../data/queries/call-queries.ts';
import { CallMenu } from '../call-menu.tsx';
import { Controls } from '../controls.tsx';
import { RecordingMark, RecordingNotice } from '../recording.tsx';
import { CaptionBar } from '../captions/caption-bar.tsx';
import { useCaptions } from '../captions/use-captions.ts';
import type { Captions } from '../captions/use-captions.ts';
import { CallSide } from '../chat/call-side.tsx';
import { useSide } from '../chat/use-side.ts';
import type { RoomState } from '../media/use-room.ts';
import { ConnectionBanner } from '../session/connection-banner.tsx';
import { RefusedDevice } from '../session/refused-device.tsx';
import { ShortcutsSheet } from '../session/shortcuts-sheet.tsx';
import { useCallKeys } from '../session/use-call-keys.ts';
import { useElapsed } from '../session/use-elapsed.ts';
import type { Refusal } from '../session/use-sources.ts';
import { OwnScreen } from '../stage/own-screen.tsx';
import { ReactionsProvider } from '../stage/reactions.tsx';
import { Stage } from '../stage/stage.tsx';
import { useIdleControls } from '../stage/use-idle-controls.ts';
import { useLayoutChoice } from '../stage/use-layout-choice.ts';
import type { LayoutChoice } from '../stage/use-layout-choice.ts';
import { usePin } from '../stage/use-pin.ts';
import { useCallReader } from '../state/call-reader.ts';
import type { Source } from '../state/wanted-sources.ts';
import { i18n } from '../../../i18n/i18n.ts';
import '../call.css';

interface GuestHeaderProps extends LayoutChoice {
  call: Call;
  elapsed: string | undefined;
  captions: Captions;
  onKeys: () => void;
}

function GuestHeader({ call, elapsed, ...menu }: GuestHeaderProps) {
  return (
    <header className="call-header">
      <div className="call-title">
        <div className="call-name">
          <PageHeading title={i18n.t('With {name}', { name: nameOf(call.host) })} />
          {elapsed === undefined ? null : (
            <span className="call-clock" role="timer" aria-label={i18n.t('Time in this call')}>
              {elapsed}
            </span>
          )}
        </div>
      </div>
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
  const { id } = useCallReader();
  const inside = state === 'connected' || state === 'reconnecting';
  const side = useSide(call.join_code, inside, true);
  const choice = useLayoutChoice();
  const captions = useCaptions(call.join_code, false);
  const pin = usePin();
  const is_bare = useIdleControls(state === 'connected' && !side.shown);
  const elapsed = useElapsed(inside ? ownParticipant(call, id)?.joined_at : undefined);
  const keys = useCallKeys({ is_page: true, onSwitch, onLeave, onSide: side.toggle });
  return (
    <main
      id="main"
      className="call night"
      data-side={side.shown ? 'shown' : undefined}
      data-bare={is_bare ? '' : undefined}
    >
      <GuestHeader {...{ call, elapsed, captions }} {...choice} onKeys={() => keys.onListed(true)} />
      <section className="call-stage" aria-label={i18n.t('Stage')}>
        <ConnectionBanner state={state} />
        <RecordingNotice call={call} />
        <RefusedDevice refusal={refusal} onAgain={(source) => onSwitch(source, true)} />
        <OwnScreen onStop={() => onSwitch('screen', false)} />
        <ReactionsProvider join_code={call.join_code}>
          <Stage call={call} user_id={id} is_host={false} layout={choice.layout} pin={pin} is_bare={is_bare} />
        </ReactionsProvider>
        {captions.is_shown ? <CaptionBar call={call} /> : null}
        <StartAudio label={i18n.t('Turn on sound')} className="button primary call-hear" />
      </section>
      <CallSide call={call} own_role="guest" inside={inside} />
      <Controls
        call={call}
        is_host={false}
        side_shown={side.shown}
        unread_count={side.unread_count}
        onSide={side.toggle}
        onSwitch={onSwitch}
        onLeave={onLeave}
      />
      <ShortcutsSheet open={keys.listed} onClose={() => keys.onListed(false)} />
    </main>
  );
}
