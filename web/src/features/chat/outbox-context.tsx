import type { Asterism } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { useStreamState } from '../../data/stream.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { loadUnsentFiles } from '../files/attached-files.ts';
import { deliverWith } from './deliver.ts';
import { Outbox } from './outbox.ts';
import type { Release, Report, UnsentStore } from './outbox.ts';
import { onStored, readStored, writeStored } from '../../data/storage/stored-texts.ts';

const NAME = 'unsent';

/** The stored messages of an account or a guest. */
const storeOf = (owner_id: string): UnsentStore => ({
  read: () => readStored(owner_id, NAME),
  write: (all) => writeStored(owner_id, NAME, all),
  onChange: (listener) => onStored(owner_id, NAME, listener),
});

const dropFiles: Release = (files) => {
  if (files.length === 0) return;
  const drop = async () => {
    const { dropUnsentFile } = await loadUnsentFiles();
    for (const { key } of files) dropUnsentFile(key);
  };
  void drop();
};

const reportRefused: Report = ({ change }, error) => {
  const problem = describeProblem(error);
  if (change.kind === 'edit') showToast(i18n.t('Couldn’t edit the message. {problem}', { problem }));
  else if (change.kind === 'delete') showToast(i18n.t('Couldn’t delete the message. {problem}', { problem }));
  else showToast(problem);
};

const OutboxContext = createContext<Outbox | undefined>(undefined);

interface OutboxOfProps {
  /** Its owner: an account or a guest; undefined when signed out. */
  owner_id: string | undefined;
  client?: Asterism;
  /** Whether the stream is connected. */
  is_open: boolean;
  children: ReactNode;
}

/** Provides the outbox of its owner, and sends it whenever the stream is connected. */
export function OutboxOf({ owner_id, client = sdk, is_open, children }: OutboxOfProps) {
  const queries = useQueryClient();
  const [outbox, setOutbox] = useState<Outbox>();
  useEffect(() => {
    if (owner_id === undefined) return;
    const made = new Outbox(storeOf(owner_id), deliverWith(queries, client, owner_id), dropFiles, reportRefused);
    const flush = () => made.flush();
    addEventListener('online', flush);
    made.flush();
    setOutbox(made);
    return () => {
      removeEventListener('online', flush);
      made.close();
      setOutbox(undefined);
    };
  }, [owner_id, queries, client]);
  useEffect(() => {
    if (is_open) outbox?.flush();
  }, [is_open, outbox]);
  return <OutboxContext value={outbox}>{children}</OutboxContext>;
}

/** The outbox of the signed-in account. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  return (
    <OutboxOf owner_id={useMe()?.id} is_open={useStreamState() === 'open'}>
      {children}
    </OutboxOf>
  );
}

/** The outbox, for sending to any place. */
export const useOutbox = (): Outbox | undefined => useContext(OutboxContext);
