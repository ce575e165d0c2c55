import { QrCode } from 'lucide-react';
import { useRef, useState } from 'react';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { ShareWays } from '../../ui/overlay/share-ways.tsx';
import { i18n } from '../../i18n/i18n.ts';
import type { LastingRoom } from './room-queries.ts';
import { nameOfRoom } from './room-text.ts';

/** Shares the link of a room. */
export function ShareRoom({ room }: { room: LastingRoom }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = nameOfRoom(room);
  const title = i18n.t('The room of {name}', { name });
  return (
    <>
      <button ref={button} type="button" className="button quiet" onClick={() => setOpen(true)}>
        <QrCode aria-hidden="true" />
        {i18n.t('Share')}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={title} returnTo={button} width_px={380}>
        <ShareWays address={room.url} title={title} label={i18n.t('QR code that opens the room of {name}', { name })} />
      </Sheet>
    </>
  );
}
