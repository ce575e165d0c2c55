import { Copy, Share2 } from 'lucide-react';
import { QrCode } from '../brand/qr-code.tsx';
import { copyText } from '../copy-text.ts';
import { i18n } from '../../i18n/i18n.ts';

interface ShareWaysProps {
  address: string;
  /** What is shared, as the system's sheet names it. */
  title: string;
  /** What the code opens, for those who do not see it. */
  label: string;
}

/** The ways to hand an address to others: a code to be scanned, the link, and the system's own sheet. */
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
      <div className="two-btn">
        <button type="button" className="btn primary" onClick={() => void copyText(address, i18n.t('Link copied.'))}>
          <Copy aria-hidden="true" />
          {i18n.t('Copy link')}
        </button>
        {'share' in navigator ? (
          <button
            type="button"
            className="btn quiet"
            onClick={() => void navigator.share({ title, url: address }).catch(() => undefined)}
          >
            <Share2 aria-hidden="true" />
            {i18n.t('Share')}
          </button>
        ) : null}
      </div>
    </>
  );
}
