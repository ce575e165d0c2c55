import type { Call } from '@asterism/sdk';
import { CallMenu } from './call-menu.tsx';
import { CallTitleBar } from './call-title-bar.tsx';
import type { Captions } from './captions/use-captions.ts';
import { DialSheet } from './invite/dial-sheet.tsx';
import { PrivacyMenu } from './privacy-menu.tsx';
import type { LayoutChoice } from './stage/use-layout-choice.ts';
import { titleOfCall } from './state/call-title.ts';
import { RecordingMark } from './recording.tsx';
import { MinimizeCall } from './minimize-call.tsx';
import type { RoomState } from './media/use-room.ts';

interface CallHeaderProps extends LayoutChoice {
  call: Call;
  state: RoomState;
  is_host: boolean;
  /** The reader is its host, or a co-host. */
  is_hosting: boolean;
  user_id: string | undefined;
  /** How long the reader has been in the call; undefined until they are connected. */
  elapsed: string | undefined;
  captions: Captions;
  /** Opens the list of keyboard shortcuts. */
  onKeys: () => void;
  onEnd: () => void;
}

/** The header of a call: its host, state and privacy, and adding people. */
export function CallHeader({
  call,
  state,
  is_host,
  is_hosting,
  user_id,
  elapsed,
  captions,
  onKeys,
  onEnd,
  ...layout
}: CallHeaderProps) {
  return (
    <header className="call-header">
      <MinimizeCall />
      <CallTitleBar title={titleOfCall(call, user_id)} {...{ call, state, elapsed }} />
      <RecordingMark call={call} />
      <PrivacyMenu call={call} may_change={is_hosting} />
      <DialSheet call={call} user_id={user_id} />
      <CallMenu call={call} is_host={is_host} captions={captions} onKeys={onKeys} onEnd={onEnd} {...layout} />
    </header>
  );
}
