import type { Call } from '@asterism/sdk';
import { nameOf } from '../../ui/avatar.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { CallMenu } from './call-menu.tsx';
import type { LayoutChoice } from './call-menu.tsx';
import { DialSheet } from './invite/dial-sheet.tsx';
import { PrivacyMenu } from './privacy-menu.tsx';
import { RecordingMark } from './recording.tsx';
import type { RoomState } from './media/use-room.ts';

function describeState(call: Call, state: RoomState): string {
  if (state === 'joining') return 'Connecting…';
  if (state === 'reconnecting') return 'The connection broke. Coming back…';
  const ringing = call.participants.filter((one) => one.state === 'ringing').map((one) => one.name);
  if (ringing.length > 0) return `Ringing ${ringing.join(', ')}…`;
  const inside = call.participants.filter((one) => one.state === 'joined').length;
  return inside > 1 ? `${inside} people in this call` : 'No one else is here';
}

interface CallHeaderProps extends LayoutChoice {
  call: Call;
  state: RoomState;
  is_host: boolean;
  /** Its host, or a co-host. */
  is_hosting: boolean;
  user_id: string | undefined;
  /** How long the reader has been in it; undefined until they are. */
  elapsed: string | undefined;
  /** Lists the keyboard shortcuts. */
  onKeys: () => void;
}

/** Whose call this is, how it stands, who may come in, and the way to call others into it. */
export function CallHeader({ call, state, is_host, is_hosting, user_id, elapsed, onKeys, ...layout }: CallHeaderProps) {
  return (
    <header className="call-header">
      <div className="call-title">
        <div className="call-name">
          <PageHeading title={is_host ? 'Your call' : `With ${nameOf(call.host)}`} />
          {elapsed === undefined ? null : (
            <span className="call-clock" role="timer" aria-label="Time in this call">
              {elapsed}
            </span>
          )}
        </div>
        <p className="soft small" role="status">
          {describeState(call, state)}
        </p>
      </div>
      <RecordingMark call={call} user_id={user_id} />
      <PrivacyMenu call={call} may_change={is_hosting} />
      <DialSheet call={call} user_id={user_id} />
      <CallMenu call={call} is_host={is_host} user_id={user_id} onKeys={onKeys} {...layout} />
    </header>
  );
}
