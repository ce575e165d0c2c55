import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useCallReactions } from '../../realtime/stream-context.tsx';

/** How long a reaction is seen. */
const SHOWN_MS = 4_000;
/** Of one person at once; more are not to be told apart. */
const MOST_AT_ONCE = 5;

interface Seen {
  readonly key: number;
  readonly participant_id: string;
  readonly emoji: string;
}

const ReactionsContext = createContext<readonly Seen[]>([]);

/** Keeps what people in a call react with for as long as it is seen. */
export function ReactionsProvider({ join_code, children }: { join_code: string; children: ReactNode }) {
  const [seen, setSeen] = useState<readonly Seen[]>([]);
  const count = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);
  const onReaction = useCallback((participant_id: string, emoji: string) => {
    const key = ++count.current;
    setSeen((before) => [...before, { key, participant_id, emoji }]);
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setSeen((before) => before.filter((one) => one.key !== key));
    }, SHOWN_MS);
    timers.current.add(timer);
  }, []);
  useCallReactions(join_code, onReaction);
  return <ReactionsContext value={seen}>{children}</ReactionsContext>;
}

/** What somebody reacts with at this moment, above their tile. */
export function TileReactions({ participant_id, name }: { participant_id: string | undefined; name: string }) {
  const seen = useContext(ReactionsContext)
    .filter((one) => one.participant_id === participant_id)
    .slice(-MOST_AT_ONCE);
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
