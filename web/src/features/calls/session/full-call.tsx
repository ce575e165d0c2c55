import { StartAudio, useRemoteParticipants } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { ownParticipant } from '../../../data/queries/call-queries.ts';
import type { CallRole } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { CaptionBar } from '../captions/caption-bar.tsx';
import type { Captions } from '../captions/use-captions.ts';
import { CallSide } from '../chat/call-side.tsx';
import { useSide } from '../chat/use-side.ts';
import { Controls } from '../controls.tsx';
import { useHand } from '../hands/use-hand.ts';
import type { RoomState } from '../media/use-room.ts';
import { RecordingNotice } from '../recording.tsx';
import { OwnScreen } from '../stage/own-screen.tsx';
import { ReactionsProvider } from '../stage/reactions.tsx';
import { Stage } from '../stage/stage.tsx';
import { useIdleControls } from '../stage/use-idle-controls.ts';
import { useLayoutChoice } from '../stage/use-layout-choice.ts';
import { usePin } from '../stage/use-pin.ts';
import type { Source } from '../state/wanted-sources.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { RefusedDevice } from './refused-device.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';
import { useCallKeys } from './use-call-keys.ts';
import { togetherSince, useElapsed } from './use-elapsed.ts';
import type { Refusal } from './use-sources.ts';

interface ViewOptions {
  call: Call;
  state: RoomState;
  /** The identity of the reader: an account or a guest. */
  user_id: string | undefined;
  /** Whether the call is shown in full size. */
  is_page: boolean;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
}

/** What the reader has set up in a call: the layout, the pinned tile and the side panel. It outlasts the small window. */
export function useCallView({ call, state, user_id, is_page, onSwitch, onLeave }: ViewOptions) {
  const choice = useLayoutChoice();
  const pin = usePin();
  const inside = state === 'connected' || state === 'reconnecting';
  const side = useSide(call.join_code, inside, is_page);
  const own = ownParticipant(call, user_id);
  const since = togetherSince(call.participants, own);
  // Somebody else who comes back is in the call since then, and the clock goes on.
  const first = useRef(since);
  first.current ??= since;
  const elapsed = useElapsed(inside ? first.current : undefined);
  const is_bare = useIdleControls(is_page && state === 'connected' && !side.shown);
  const hand = useHand(call.join_code);
  const is_raised = (own?.hand_raised_at ?? null) !== null;
  const onHand = () => (hand.isPending ? undefined : hand.mutate({ raised: !is_raised }));
  const keys = useCallKeys({ is_page, onSwitch, onLeave, onSide: side.toggle, onHand });
  return { choice, pin, inside, side, elapsed, is_bare, keys };
}

interface FullCallProps extends Pick<ViewOptions, 'call' | 'state' | 'user_id' | 'onSwitch' | 'onLeave'> {
  view: ReturnType<typeof useCallView>;
  own_role: CallRole;
  captions: Captions;
  refusal: Refusal | undefined;
  header: ReactNode;
  /** What is shown above the tiles, only to people with an account. */
  notices?: ReactNode;
  /** Ends the call for everybody, as its host; undefined for participants who can never be host. */
  onEnd?: () => void;
}

/**
 * Turns on the sound where the browser refuses to play it. Only with others: an audio device that starts slowly counts
 * as refused until the first sound is played.
 */
function HearOthers() {
  const others = useRemoteParticipants({ updateOnlyOn: [] });
  return others.length === 0 ? null : (
    <StartAudio label={i18n.t('Turn on sound')} className="button primary call-hear" />
  );
}

/** The page of a call: the stage, the side panel and the controls. */
export function FullCall({ call, state, user_id, view, own_role, captions, refusal, ...props }: FullCallProps) {
  const { header, notices, onSwitch, onLeave, onEnd } = props;
  const { choice, pin, inside, side, is_bare, keys } = view;
  return (
    <main
      id="main"
      className="call night"
      data-side={side.shown ? 'shown' : undefined}
      data-bare={is_bare ? '' : undefined}
    >
      {header}
      <section className="call-stage" aria-label={i18n.t('Stage')}>
        <ConnectionBanner state={state} />
        <RecordingNotice call={call} />
        <RefusedDevice refusal={refusal} onAgain={(source) => onSwitch(source, true)} />
        {notices}
        <OwnScreen onStop={() => onSwitch('screen', false)} />
        <ReactionsProvider join_code={call.join_code}>
          <Stage
            call={call}
            user_id={user_id}
            is_host={own_role !== 'guest'}
            layout={choice.layout}
            pin={pin}
            is_bare={is_bare}
          />
        </ReactionsProvider>
        {captions.is_shown ? <CaptionBar call={call} is_kept={captions.is_seen} /> : null}
        <HearOthers />
      </section>
      <CallSide call={call} own_role={own_role} inside={inside} />
      <Controls
        call={call}
        is_host={own_role === 'host'}
        side_shown={side.shown}
        unread_count={side.unread_count}
        onSide={side.toggle}
        onSwitch={onSwitch}
        onLeave={onLeave}
        onEnd={onEnd}
      />
      <ShortcutsSheet open={keys.listed} onClose={() => keys.onListed(false)} />
    </main>
  );
}
