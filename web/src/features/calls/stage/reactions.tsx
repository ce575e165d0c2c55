import { createContext, useCallback, useContext } from 'react';
import type { ReactNode } from 'react';
import { useExpiringList, type Expiring } from '../state/use-expiring-list.ts';
import { useCallReactions } from '../../../data/stream.ts';

/** How long a reaction is shown. */
const SHOWN_MS = 4_000;
/** The maximum shown for one person at once. */
const MAX_AT_ONCE = 5;

interface Reaction {
  readonly participant_id: string;
  readonly emoji: string;
}

const ReactionsContext = createContext<readonly Expiring<Reaction>[]>([]);

/** Collects the reactions of a call while they are shown. */
export function ReactionsProvider({ join_code, children }: { join_code: string; children: ReactNode }) {
  const [seen, show] = useExpiringList<Reaction>(SHOWN_MS);
  const onReaction = useCallback((participant_id: string, emoji: string) => show({ participant_id, emoji }), [show]);
  useCallReactions(join_code, onReaction);
  return <ReactionsContext value={seen}>{children}</ReactionsContext>;
}

/** The current reactions of a participant, above their tile. */
export function TileReactions({ participant_id, name }: { participant_id: string | undefined; name: string }) {
  const seen = useContext(ReactionsContext)
    .filter((one) => one.participant_id === participant_id)
    .slice(-MAX_AT_ONCE);
  return (
    <span className="tile-reactions" role="status">
      {seen.map(({ key, emoji }) => (
        <span key={key} className="tile-reaction">
          <span className="visually-hidden">{name}: </span>
          {emoji}
        </span>
      ))}
    </span>
  );
}
