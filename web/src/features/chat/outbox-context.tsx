import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useMe } from '../me/me-query.ts';
import { useStreamState } from '../realtime/stream-context.tsx';
import { nameOfPlace } from './chat-message.ts';
import type { ChatPlace } from './chat-message.ts';
import { deliverWith } from './deliver.ts';
import { Outbox } from './outbox.ts';
import type { Unsent } from './outbox.ts';

const OutboxContext = createContext<Outbox | undefined>(undefined);

/** Keeps the outbox of whoever is signed in, and empties it whenever the line is there. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const user_id = useMe()?.id;
  const [outbox, setOutbox] = useState<Outbox>();
  const is_open = useStreamState() === 'open';
  useEffect(() => {
    if (user_id === undefined) return;
    const made = new Outbox(user_id, deliverWith(queries));
    const flush = () => made.flush();
    addEventListener('online', flush);
    made.flush();
    setOutbox(made);
    return () => {
      removeEventListener('online', flush);
      made.close();
      setOutbox(undefined);
    };
  }, [user_id, queries]);
  useEffect(() => {
    if (is_open) outbox?.flush();
  }, [is_open, outbox]);
  return <OutboxContext value={outbox}>{children}</OutboxContext>;
}

/** How something is sent in any place. */
export const useOutbox = (): Outbox | undefined => useContext(OutboxContext);

const NONE: readonly Unsent[] = [];

/** What is unsent in a place, and how something is sent there. */
export function useUnsent(place: ChatPlace): { unsent: readonly Unsent[]; outbox: Outbox | undefined } {
  const outbox = useContext(OutboxContext);
  const all = useSyncExternalStore(
    (listener) => outbox?.onChange(listener) ?? (() => undefined),
    () => outbox?.all ?? NONE,
  );
  const name = nameOfPlace(place);
  const unsent = useMemo(() => all.filter((one) => nameOfPlace(one.place) === name), [all, name]);
  return { unsent, outbox };
}
