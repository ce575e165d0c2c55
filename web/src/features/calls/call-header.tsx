import type { Call } from '@asterism/sdk';
import { PageHeading } from '../../ui/page.tsx';
import { CallMenu } from './call-menu.tsx';
import type { Captions } from './captions/use-captions.ts';
import { DialSheet } from './invite/dial-sheet.tsx';
import { PrivacyMenu } from './privacy-menu.tsx';
import type { LayoutChoice } from './stage/use-layout-choice.ts';
import { titleOfCall } from './state/call-title.ts';
import { RecordingMark } from './recording.tsx';
import { MinimizeCall } from './minimize-call.tsx';
import type { RoomState } from './media/use-room.ts';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';

function describeState(call: Call, state: RoomState): string {
  if (state === 'joining') return i18n.t('Connecting…');
  if (state === 'reconnecting') return i18n.t('Connection lost. Reconnecting…');
  const ringing = call.participants.filter((one) => one.state === 'ringing').map((one) => one.name);
  if (ringing.length > 0) return i18n.t('Ringing {names}…', { names: listNames(ringing, 'comma') });
  const inside = call.participants.filter((one) => one.state === 'joined').length;
  return inside > 1
    ? i18n.t('{count, plural, one {# person in this call} other {# people in this call}}', { count: inside })
    : i18n.t('No one else is here');
}

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
      <div className="call-title">
        <div className="call-name">
          <PageHeading title={titleOfCall(call, user_id)} />
          {elapsed === undefined ? null : (
            <span className="call-clock" role="timer" aria-label={i18n.t('Time in this call')}>
              {elapsed}
            </span>
          )}
        </div>
        <p className="soft small" role="status">
          {describeState(call, state)}
        </p>
      </div>
      <RecordingMark call={call} />
      <PrivacyMenu call={call} may_change={is_hosting} />
      <DialSheet call={call} user_id={user_id} />
      <CallMenu call={call} is_host={is_host} captions={captions} onKeys={onKeys} onEnd={onEnd} {...layout} />
    </header>
  );
}
