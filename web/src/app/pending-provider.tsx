import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useMe } from '../data/queries/me-query.ts';
import { PendingContext, PendingStates } from '../data/pending-states.ts';
import { readStored, writeStored } from '../data/stored-texts.ts';
import { useStreamState } from '../data/stream.ts';

const NAME = 'states';

const load = {
  like: () => import('../features/statuses/like-work.ts'),
  follow: () => import('../features/follows/follow-work.ts'),
};

/** Provides the pending states of the account, and sends them whenever the stream is connected. */
export function PendingProvider({ children }: { children: ReactNode }) {
  const user_id = useMe()?.id;
  const queries = useQueryClient();
  const is_open = useStreamState() === 'open';
  const [states, setStates] = useState<PendingStates>();
  useEffect(() => {
    if (user_id === undefined) return;
    const store = {
      read: () => readStored(user_id, NAME),
      write: (all: unknown) => writeStored(user_id, NAME, all),
    };
    const made = new PendingStates(store, async (kind) => (await load[kind]()).workOf(queries));
    const flush = () => made.flush();
    addEventListener('online', flush);
    made.flush();
    setStates(made);
    return () => {
      removeEventListener('online', flush);
      made.close();
      setStates(undefined);
    };
  }, [user_id, queries]);
  useEffect(() => {
    if (is_open) states?.flush();
  }, [is_open, states]);
  return <PendingContext value={states}>{children}</PendingContext>;
}
