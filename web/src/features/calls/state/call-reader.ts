import type { Asterism, Call } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { sdk } from '../../../asterism.ts';
import { cacheCall } from '../../../data/queries/call-queries.ts';
import { localizeNames } from '../../../i18n/default-names.ts';
import { guestCallKey } from './guest-queries.ts';

/** Who reads a call: somebody with an account, or a guest with a client of their own. */
export interface CallReader {
  /** The account or the guest; undefined until the account is known. */
  readonly id: string | undefined;
  readonly client: Asterism;
  /** Whether they can do what needs an account: ring others, search, forward, send files, report and test their devices. */
  readonly has_account: boolean;
  /** Caches the call that an operation has answered. */
  readonly keep: (queries: QueryClient, call: Call) => void;
}

/** The reader of a call who has an account. */
export const accountReader = (id: string | undefined): CallReader => ({
  id,
  client: sdk,
  has_account: true,
  keep: cacheCall,
});

/** The reader of a call who has none. */
export const guestReader = (id: string, client: Asterism): CallReader => ({
  id,
  client,
  has_account: false,
  keep: (queries, call) => queries.setQueryData<Call>(guestCallKey(call.join_code), localizeNames(call)),
});

const CallReaderContext = createContext<CallReader | undefined>(undefined);
export const CallReaderProvider = CallReaderContext.Provider;

/** The reader of the call around a component. */
export function useCallReader(): CallReader {
  const reader = useContext(CallReaderContext);
  if (reader === undefined) throw new Error('there is no call here');
  return reader;
}
