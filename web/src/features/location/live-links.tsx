import { useQuery } from '@tanstack/react-query';
import { Copy, Link2, Plus, Share2, X } from 'lucide-react';
import { useState } from 'react';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Choice } from './choice.tsx';
import { Ends, inMinutes } from './ends.tsx';
import { useCreateLink, useRevokeLink } from './location-mutations.ts';
import { locationLinksQuery } from './location-queries.ts';
import type { LocationLink } from './location-queries.ts';
import { describeEnd } from './location-words.ts';
import { PRECISIONS } from './share-sheet.tsx';

/** Gives an address to the system's sheet, or to the clipboard where there is none. */
export async function passOn(url: string, title: string): Promise<void> {
  if ('share' in navigator) {
    // Whoever closes the sheet has decided, too.
    await navigator.share({ url, title }).catch(() => undefined);
    return;
  }
  await copyText(url, 'Copied.');
}

function LinkRow({ link }: { link: LocationLink }) {
  const revoke = useRevokeLink();
  const until = describeEnd(link.expires_at);
  return (
    <li className="row">
      <Link2 aria-hidden="true" />
      <span className="body">
        <b className="cut">Until {until}</b>
        <span className="l2">
          {link.precision === 'exact' ? 'Exactly' : 'Within 1 km'},{' '}
          {link.view_count === 1 ? 'seen once' : `seen ${link.view_count} times`}
        </span>
      </span>
      <button type="button" className="ib" onClick={() => void copyText(link.url, 'Copied.')}>
        <Copy aria-hidden="true" />
        <span className="visually-hidden">Copy the link until {until}</span>
      </button>
      <button type="button" className="ib" onClick={() => void passOn(link.url, 'Where I am')}>
        <Share2 aria-hidden="true" />
        <span className="visually-hidden">Pass on the link until {until}</span>
      </button>
      <button type="button" className="ib" onClick={() => revoke.mutate(link)}>
        <X aria-hidden="true" />
        <span className="visually-hidden">Stop the link until {until}</span>
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
      { expires_at: inMinutes(minutes), precision },
      {
        onSuccess: ({ url }) => {
          onClose();
          void passOn(url, 'Where I am');
        },
      },
    );
  };
  return (
    <Sheet open onClose={onClose} title="A live link">
      <p className="soft small">Anyone with the link can see where you are until it expires. No account needed.</p>
      <Choice label="How near" options={PRECISIONS} value={precision} onChange={setPrecision} />
      <Ends minutes={minutes} onMinutes={setMinutes} />
      <button type="button" className="btn primary wide-btn" aria-disabled={create.isPending} onClick={make}>
        Make the link
      </button>
    </Sheet>
  );
}

/** Links that show the reader live, with what ends each. */
export function LiveLinks() {
  const links = useQuery(locationLinksQuery).data?.items ?? [];
  const [is_making, setMaking] = useState(false);
  return (
    <section aria-labelledby="links-heading">
      <div className="place-head">
        <h2 id="links-heading">Live links</h2>
        <button type="button" className="btn plain small" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          New link
        </button>
      </div>
      {links.length === 0 ? <p className="soft small place-none">No link shows where you are.</p> : null}
      <ul>
        {links.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </ul>
      {is_making ? <NewLink onClose={() => setMaking(false)} /> : null}
    </section>
  );
}
