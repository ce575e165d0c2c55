import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useMe } from '../data/queries/me-query.ts';
import { PendingContext } from '../data/pending-context.ts';
import type { PendingStates } from '../data/pending-states.ts';
import { readStored, writeStored } from '../data/storage/stored-texts.ts';
import { useStreamState } from '../data/stream.ts';

const NAME = 'states';

const load = {
  like: () => import('../features/statuses/like-work.ts'),
  follow: () => import('../features/follows/follow-work.ts'),
};

/** Loads the pending states of an account. @returns functions that use them once they are loaded */
function openStates(user_id: string, queries: QueryClient) {
  let states: Promise<PendingStates> | undefined;
  let is_closed = false;
  const store = {
    read: () => readStored(user_id, NAME),
    write: (all: unknown) => writeStored(user_id, NAME, all),
  };
  const open = async () => {
    const { PendingStates: Made } = await import('../data/pending-states.ts');
    return new Made(store, async (kind) => (await load[kind]()).workOf(queries));
  };
  const use = (act: (opened: PendingStates) => void) => {
    states ??= open();
    void states.then((opened) => (is_closed ? opened.close() : act(opened)));
  };
  return {
    set: (state: Parameters<PendingStates['set']>[0]) => use((opened) => opened.set(state)),
    flush() {
      if (states !== undefined || store.read() !== undefined) use((opened) => opened.flush());
    },
    close() {
      is_closed = true;
      void states?.then((opened) => opened.close());
    },
  };
}

/** Sends what is switched on or off, and what is still to be sent whenever the stream is connected. */
export function PendingProvider({ children }: { children: ReactNode }) {
  const user_id = useMe()?.id;
  const queries = useQueryClient();
  const is_open = useStreamState() === 'open';
  const current = useRef<ReturnType<typeof openStates>>(undefined);
  const set = useRef((state: Parameters<PendingStates['set']>[0]) => current.current?.set(state));
  useEffect(() => {
    if (user_id === undefined) return;
    const opened = openStates(user_id, queries);
    current.current = opened;
    addEventListener('online', opened.flush);
    opened.flush();
    return () => {
      removeEventListener('online', opened.flush);
      opened.close();
      current.current = undefined;
    };
  }, [user_id, queries]);
  useEffect(() => {
    if (is_open) current.current?.flush();
  }, [is_open]);
  return <PendingContext value={set.current}>{children}</PendingContext>;
}
