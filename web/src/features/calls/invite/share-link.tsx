import type { Call } from '@asterism/sdk';
import { Copy, Share2 } from 'lucide-react';
import { nameOf } from '../../../ui/avatar.tsx';
import { copyText } from '../../../ui/overlay/copy-text.ts';
import { canShare, shareLink } from '../../../ui/overlay/share-link.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The link of a room that nobody else was called into, as long as the reader waits there alone. */
export function ShareLink({ call }: { call: Call }) {
  if (call.privacy !== 'public' || call.participants.length !== 1) return null;
  const url = `${location.origin}/j/${call.join_code}`;
  return (
    <div className="notice call-notice">
      <p>{i18n.t('Share the link, and others can join.')}</p>
      <button type="button" className="button quiet" onClick={() => void copyText(url, i18n.t('Join link copied.'))}>
        <Copy aria-hidden="true" />
        {i18n.t('Copy link')}
      </button>
      {canShare() ? (
        <button
          type="button"
          className="button quiet"
          onClick={() => void shareLink(url, i18n.t('Call with {names}', { names: nameOf(call.host) }))}
        >
          <Share2 aria-hidden="true" />
          {i18n.t('Share')}
        </button>
      ) : null}
    </div>
  );
}
