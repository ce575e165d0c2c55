import { WifiOff } from 'lucide-react';
import { useOnline } from '../../../ui/hooks/use-online.ts';
import type { RoomState } from '../media/use-room.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** Shown while the reader is disconnected. */
export function ConnectionBanner({ state }: { state: RoomState }) {
  const is_online = useOnline();
  const text = !is_online
    ? i18n.t('You are offline. The call comes back when your network does.')
    : state === 'reconnecting'
      ? i18n.t('Reconnecting… The others can’t hear you now.')
      : undefined;
  return (
    <div role="status">
      {text === undefined ? null : (
        <p className="notice call-notice" data-tone="danger">
          <WifiOff aria-hidden="true" size={18} />
          {text}
        </p>
      )}
    </div>
  );
}
