import { ShareButton } from '../../ui/overlay/share/share-button.tsx';
import { i18n } from '../../i18n/i18n.ts';
import type { LastingRoom } from './room-queries.ts';
import { nameOfRoom } from './room-text.ts';

/** Shares the link of a room. */
export function ShareRoom({ room }: { room: LastingRoom }) {
  const name = nameOfRoom(room);
  return (
    <ShareButton
      address={room.url}
      title={i18n.t('The room of {name}', { name })}
      label={i18n.t('QR code that opens the room of {name}', { name })}
    />
  );
}
