import { ArrowUpLeft, CornerDownLeft, Phone, Search, WandSparkles } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import type { Offer } from './offers.ts';
import { i18n } from '../../i18n/i18n.ts';

function OfferIcon({ offer }: { offer: Offer }) {
  if (offer.kind === 'tag') return <TagSky name={offer.tag} size_px={32} />;
  if (offer.kind === 'person') return <Avatar {...offer.person.picture} size_px={32} />;
  const Icon = {
    run: CornerDownLeft,
    call: Phone,
    find: Search,
    type: offer.kind === 'type' && offer.is_correction ? WandSparkles : ArrowUpLeft,
  }[offer.kind];
  return <Icon aria-hidden="true" className="icon" />;
}

interface OffersProps {
  id: string;
  offers: readonly Offer[];
  chosen: number;
  typed: string;
  onTake: (offer: Offer) => void;
}

/** The options to select with the arrow keys or a tap. */
export function Offers({ id, offers, chosen, typed, onTake }: OffersProps) {
  return (
    <div className="cmd-list" role="listbox" id={`${id}-list`} aria-label={i18n.t('What you can do')}>
      {offers.map((offer, at) => (
        <div
          key={
            offer.kind === 'run' ? 'run' : offer.kind === 'person' ? offer.person.key : `${offer.kind} ${offer.title}`
          }
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Its effect is shown above in the preview, which indicates that it is selected.
          className={offer.kind === 'run' ? 'visually-hidden' : 'row'}
          // The focus stays in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(offer)}
        >
          <OfferIcon offer={offer} />
          <span className="body">
            <b className="cut" dir="auto">
              {offer.kind === 'run' ? i18n.t('Run: {text}', { text: typed.trim() }) : offer.title}
            </b>
            {offer.kind === 'run' ? null : (
              <span className="l2">
                <span className="cut" dir="auto">
                  {offer.detail}
                </span>
              </span>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
