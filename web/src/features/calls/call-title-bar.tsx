import type { Call } from '@asterism/sdk';
import { PageHeading } from '../../ui/page.tsx';
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

interface CallTitleBarProps {
  title: string;
  call: Call;
  state: RoomState;
  /** How long the reader has been in the call; undefined until they are connected. */
  elapsed: string | undefined;
}

/** The title of a call, and below it who is there and for how long. */
export function CallTitleBar({ title, call, state, elapsed }: CallTitleBarProps) {
  return (
    <div className="call-title">
      <PageHeading title={title} />
      <div className="call-line">
        <p className="soft small" role="status">
          {describeState(call, state)}
        </p>
        {elapsed === undefined ? null : (
          <span className="call-clock" role="timer" aria-label={i18n.t('Time in this call')}>
            {elapsed}
          </span>
        )}
      </div>
    </div>
  );
}
