import { Copy, QrCode as QrIcon, Share2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { QrCode } from '../../ui/brand/qr-code.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The public address of a tag, which opens without an account too. */
export function addressOf(tag_name: string): string {
  return new URL(`/t/${tag_name}`, location.origin).href;
}

function Ways({ name }: { name: string }) {
  const address = addressOf(name);
  return (
    <>
      <div className="share-code">
        <QrCode text={address} label={i18n.t('QR code that opens *{name}', { name })} />
      </div>
      <input
        className="share-address"
        readOnly
        value={address}
        aria-label={i18n.t('Address')}
        onFocus={(event) => event.target.select()}
      />
      <div className="two-btn">
        <button type="button" className="btn primary" onClick={() => void copyText(address, i18n.t('Link copied.'))}>
          <Copy aria-hidden="true" />
          {i18n.t('Copy link')}
        </button>
        {'share' in navigator ? (
          <button
            type="button"
            className="btn quiet"
            onClick={() => void navigator.share({ title: `*${name}`, url: address }).catch(() => undefined)}
          >
            <Share2 aria-hidden="true" />
            {i18n.t('Share')}
          </button>
        ) : null}
      </div>
    </>
  );
}

/** The ways to hand a tag to others: a code to be scanned, the link, and the system's own sheet. */
export function ShareTag({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={button} type="button" className="ib hero-share" onClick={() => setOpen(true)}>
        <QrIcon aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Share *{name}', { name })}</span>
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={i18n.t('Share *{name}', { name })}
        returnTo={button}
        width_px={380}
      >
        <Ways name={name} />
      </Sheet>
    </>
  );
}
