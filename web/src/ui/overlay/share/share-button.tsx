import { Copy, QrCode as QrIcon, Share2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { QrCode } from '../../brand/qr-code.tsx';
import { canShare, shareLink } from './share-link.ts';
import { copyText } from '../copy-text.ts';
import { Sheet } from '../sheet/sheet.tsx';
import { i18n } from '../../../i18n/i18n.ts';

interface ShareWaysProps {
  address: string;
  /** The title in the system's share sheet. */
  title: string;
  /** What the QR code opens, for screen readers. */
  label: string;
}

/** Ways to share an address: a QR code, the link, and the system's share sheet. */
function ShareWays({ address, title, label }: ShareWaysProps) {
  return (
    <>
      <div className="share-code">
        <QrCode text={address} label={label} />
      </div>
      <input
        className="share-address"
        readOnly
        value={address}
        aria-label={i18n.t('Address')}
        onFocus={(event) => event.target.select()}
      />
      <div className="two-buttons">
        <button type="button" className="button primary" onClick={() => void copyText(address, i18n.t('Link copied.'))}>
          <Copy aria-hidden="true" />
          {i18n.t('Copy link')}
        </button>
        {canShare() ? (
          <button type="button" className="button quiet" onClick={() => void shareLink(address, title)}>
            <Share2 aria-hidden="true" />
            {i18n.t('Share')}
          </button>
        ) : null}
      </div>
    </>
  );
}

interface ShareButtonProps extends ShareWaysProps {
  /** The heading of the sheet. */
  heading?: string;
  /** Classes of the button. */
  className?: string;
  /** The label of the button, after its icon. */
  children?: ReactNode;
}

/** A button that opens a sheet with the ways to share an address. */
export function ShareButton({ heading, className = 'button quiet', children, ...ways }: ShareButtonProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={button} type="button" className={className} onClick={() => setOpen(true)}>
        <QrIcon aria-hidden="true" />
        {children ?? i18n.t('Share')}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={heading ?? ways.title} returnTo={button} width_px={380}>
        <ShareWays {...ways} />
      </Sheet>
    </>
  );
}
