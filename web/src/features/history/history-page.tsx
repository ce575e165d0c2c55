import { useQuery } from '@tanstack/react-query';
import { RoomsList } from '../rooms/rooms-list.tsx';
import { FavouriteCall } from '../grid/favourite-call.tsx';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { PastCalls } from './past-calls.tsx';
import { Recordings } from './recordings.tsx';
import { i18n } from '../../i18n/i18n.ts';
import '../grid/grid.css';

/** The number that fits in one row on a phone. */
const FAVOURITES = 4;

/** The first favourites, each called with one press. */
function Favourites() {
  const members = useQuery(gridQuery).data?.members ?? [];
  if (members.length === 0) return null;
  return (
    <ul className="grid-tiles" aria-label={i18n.t('Favourites')}>
      {members.slice(0, FAVOURITES).map(({ contact }) => (
        <li key={contact.id}>
          <FavouriteCall contact={contact} />
        </li>
      ))}
    </ul>
  );
}

/** Whom to call, past calls and their recordings, in one column. */
export function HistoryPage() {
  return (
    <>
      <Favourites />
      <RoomsList />
      <PastCalls />
      <Recordings />
    </>
  );
}
