import type { Call } from '@asterism/sdk';
import { PageHeading } from '../../ui/page.tsx';
import type { RoomState } from './media/use-room.ts';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';

/** What a call is doing or who is there, and for a narrow window the same in fewer words. */
function describeState(call: Call, state: RoomState): string | { wide: string; narrow: string } {
  if (state === 'joining') return i18n.t('Connecting…');
  if (state === 'reconnecting') return i18n.t('Connection lost. Reconnecting…');
  const ringing = call.participants.filter((one) => one.state === 'ringing').map((one) => one.name);
  if (ringing.length > 0) return i18n.t('Ringing {names}…', { names: listNames(ringing, 'comma') });
  const inside = call.participants.filter((one) => one.state === 'joined').length;
  if (inside <= 1) return i18n.t('No one else is here');
  return {
    wide: i18n.t('{count, plural, one {# person in this call} other {# people in this call}}', { count: inside }),
    narrow: i18n.t('{count, plural, one {# person} other {# people}}', { count: inside }),
  };
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
  const words = describeState(call, state);
  return (
    <div className="call-title">
      <PageHeading title={title} />
      <div className="call-line">
        <p className="soft small" role="status">
          {typeof words === 'string' ? (
            words
          ) : (
            <>
              <span className="wide-only">{words.wide}</span>
              <span className="narrow-only">{words.narrow}</span>
            </>
          )}
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
