import { useStartCall } from '../../data/start-call.ts';
import { ContactAvatar } from '../contacts/contact-photo.tsx';
import type { Tile } from '../../data/queries/grid-query.ts';
import { i18n } from '../../i18n/i18n.ts';
import './grid.css';

/** A favourite with picture and name; pressing it calls them. */
export function FavouriteCall({ contact }: Pick<Tile, 'contact'>) {
  const { id, name } = contact;
  const call = useStartCall();
  return (
    <button
      type="button"
      className="grid-call"
      disabled={call.isPending}
      onClick={() => call.mutate([{ contact_id: id }])}
    >
      <ContactAvatar contact={contact} size_px={64} />
      <span className="visually-hidden">{i18n.t('Call {name}', { name })}</span>
      <span className="grid-name" dir="auto" aria-hidden="true">
        {name}
      </span>
    </button>
  );
}
