import { WifiOff } from 'lucide-react';
import { useOnline } from '../../realtime/use-online.ts';
import type { RoomState } from '../media/use-room.ts';

/** Says that the others cannot hear the reader now, for as long as that is so. */
export function ConnectionBanner({ state }: { state: RoomState }) {
  const is_online = useOnline();
  const text = !is_online
    ? 'You are offline. The call comes back when your network does.'
    : state === 'reconnecting'
      ? 'Reconnecting… The others cannot hear you now.'
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
