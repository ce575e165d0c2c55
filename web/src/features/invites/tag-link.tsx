import { Link } from '@tanstack/react-router';
import { Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { QrCode } from '../../ui/brand/qr-code.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { addressOfTag, canShare, shareLink } from '../../ui/overlay/share/share-link.ts';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { useTagList } from '../../data/queries/tag-queries.ts';

/** As tall as the card of a link. */
function LinkSkeleton() {
  return (
    <section className="card" aria-busy="true" aria-labelledby="link-heading">
      <h2 id="link-heading">{i18n.t('By link')}</h2>
      <div className="invite-link">
        <SkeletonBlock width="148px" height="148px" />
        <div className="stack-small">
          <SkeletonBlock width="70%" />
          <SkeletonBlock width="90%" height="12px" />
          <SkeletonBlock width="10rem" height="var(--tap)" />
        </div>
      </div>
    </section>
  );
}

/** The link of one of the reader's tags, with a QR code: anyone who opens it can call, follow and register. */
export function TagLink() {
  const tags = useTagList();
  const [chosen, choose] = useState<string>();
  const shared = tags.items.filter(({ visibility }) => visibility !== 'private');
  const tag = shared.find(({ id }) => id === chosen) ?? shared[0];
  if (tags.isPending) return <LinkSkeleton />;
  if (tags.isError) return null;
  if (tag === undefined) {
    return (
      <section className="card" aria-labelledby="link-heading">
        <h2 id="link-heading">{i18n.t('By link')}</h2>
        <p className="soft">{i18n.t('Every tag has a link that you can share with anyone.')}</p>
        <Link to="/tags" className="button quiet">
          {i18n.t('Create a tag')}
        </Link>
      </section>
    );
  }
  const url = addressOfTag(tag.name);
  return (
    <section className="card" aria-labelledby="link-heading">
      <h2 id="link-heading">{i18n.t('By link')}</h2>
      {shared.length > 1 ? (
        <div className="chips invite-tags" role="group" aria-label={i18n.t('Tag')}>
          {shared.map(({ id, name }) => (
            <Chip key={id} look="star" pressed={id === tag.id} onClick={() => choose(id)}>
              <bdi>*{name}</bdi>
            </Chip>
          ))}
        </div>
      ) : null}
      <div className="invite-link">
        <QrCode text={url} label={i18n.t('QR code of the link to *{name}', { name: tag.name })} />
        <div className="stack-small">
          <p className="invite-url" dir="ltr">
            {url}
          </p>
          <p className="soft small">
            {i18n.t('Anyone who opens it sees *{name}, and can join to call you.', { name: tag.name })}
          </p>
          <div className="cluster">
            <button type="button" className="button quiet" onClick={() => void copyText(url, i18n.t('Link copied.'))}>
              <Copy aria-hidden="true" />
              {i18n.t('Copy')}
            </button>
            {canShare() ? (
              <button type="button" className="button quiet" onClick={() => void shareLink(url, `*${tag.name}`)}>
                <Share2 aria-hidden="true" />
                {i18n.t('Share')}
              </button>
            ) : null}
          </div>
        </div>
      </div>
    </section>
  );
}
