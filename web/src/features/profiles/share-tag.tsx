import { QrCode as QrIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { ShareWays } from '../../ui/overlay/share-ways.tsx';
import { addressOfTag } from '../../ui/overlay/share-link.ts';
import { i18n } from '../../i18n/i18n.ts';

/**
 * Ways to share a tag: a QR code, the link, and the system's share sheet.
 * @param has_label whether its button has words, and not only an icon
 */
export function ShareTag({ name, has_label = false }: { name: string; has_label?: boolean }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={has_label ? 'button quiet small' : 'icon-button'}
        onClick={() => setOpen(true)}
      >
        <QrIcon aria-hidden="true" />
        <span className={has_label ? 'cut' : 'visually-hidden'}>{i18n.t('Share *{name}', { name })}</span>
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={i18n.t('Share *{name}', { name })}
        returnTo={button}
        width_px={380}
      >
        <ShareWays
          address={addressOfTag(name)}
          title={`*${name}`}
          label={i18n.t('QR code that opens *{name}', { name })}
        />
      </Sheet>
    </>
  );
}
