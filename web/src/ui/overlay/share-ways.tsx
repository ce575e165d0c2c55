import { Copy, Share2 } from 'lucide-react';
import { QrCode } from '../brand/qr-code.tsx';
import { canShare, shareLink } from './share-link.ts';
import { copyText } from './copy-text.ts';
import { i18n } from '../../i18n/i18n.ts';

interface ShareWaysProps {
  address: string;
  /** The title in the system's share sheet. */
  title: string;
  /** What the QR code opens, for screen readers. */
  label: string;
}

/** Ways to share an address: a QR code, the link, and the system's share sheet. */
export function ShareWays({ address, title, label }: ShareWaysProps) {
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
