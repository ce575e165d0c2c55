import { useQuery } from '@tanstack/react-query';
import { Copy, Link2, Plus, Share2, X } from 'lucide-react';
import { useState } from 'react';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { SegmentedControl } from './segmented-control.tsx';
import { EndChoice, timeInMinutes } from './end-choice.tsx';
import { useCreateLink, useRevokeLink } from './location-mutations.ts';
import { locationLinksQuery } from './location-queries.ts';
import type { LocationLink } from './location-queries.ts';
import { describeEnd } from './location-text.ts';
import { PRECISIONS } from './share-sheet.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { shareLink } from '../../ui/overlay/share/share-link.ts';

function LinkRow({ link }: { link: LocationLink }) {
  const revoke = useRevokeLink();
  const until = describeEnd(link.expires_at);
  return (
    <li className="row">
      <Link2 aria-hidden="true" />
      <span className="body">
        <b className="cut">{i18n.t('Until {until}', { until })}</b>
        <span className="l2">
          {link.precision === 'exact'
            ? i18n.t('{count, plural, one {Precise location, seen once} other {Precise location, seen # times}}', {
                count: link.view_count,
              })
            : i18n.t(
                '{count, plural, one {Approximate location, seen once} other {Approximate location, seen # times}}',
                {
                  count: link.view_count,
                },
              )}
        </span>
      </span>
      <button type="button" className="icon-button" onClick={() => void copyText(link.url, i18n.t('Copied.'))}>
        <Copy aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Copy the link until {until}', { until })}</span>
      </button>
      <button type="button" className="icon-button" onClick={() => void shareLink(link.url, i18n.t('My location'))}>
        <Share2 aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Share the link until {until}', { until })}</span>
      </button>
      <button type="button" className="icon-button" onClick={() => revoke.mutate(link)}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Stop the link until {until}', { until })}</span>
      </button>
    </li>
  );
}

function NewLink({ onClose }: { onClose: () => void }) {
  const create = useCreateLink();
  const [precision, setPrecision] = useState<'exact' | 'approximate'>('exact');
  const [minutes, setMinutes] = useState(60);
  const make = () => {
    if (create.isPending) return;
    create.mutate(
      { expires_at: timeInMinutes(minutes), precision },
      {
        onSuccess: ({ url }) => {
          onClose();
          void shareLink(url, i18n.t('My location'));
        },
      },
    );
  };
  return (
    <Sheet open onClose={onClose} title={i18n.t('New location link')}>
      <p className="soft small">
        {i18n.t('Anyone with the link can see where you are until it expires. No account needed.')}
      </p>
      <SegmentedControl label={i18n.t('Precision')} options={PRECISIONS} value={precision} onChange={setPrecision} />
      <EndChoice minutes={minutes} onMinutes={setMinutes} />
      <button type="button" className="button primary full-width" aria-disabled={create.isPending} onClick={make}>
        {i18n.t('Create link')}
      </button>
    </Sheet>
  );
}

/** Links to the reader's live location, each with a button that ends it. */
export function LiveLinks() {
  const links = useQuery(locationLinksQuery).data?.items ?? [];
  const [is_making, setMaking] = useState(false);
  return (
    <section aria-labelledby="links-heading">
      <div className="place-head">
        <h2 id="links-heading">{i18n.t('Location links')}</h2>
        <button type="button" className="button plain small" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          {i18n.t('New link')}
        </button>
      </div>
      {links.length === 0 ? <p className="soft small place-none">{i18n.t('No active links.')}</p> : null}
      <ul>
        {links.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </ul>
      {is_making ? <NewLink onClose={() => setMaking(false)} /> : null}
    </section>
  );
}
