import type { Call } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { callQuery, ownRingsKey } from '../../../data/queries/call-queries.ts';

/**
 * Records whom the reader has rung, which the call does not contain: those who are ringing now and were not before. Kept
 * as long as the page: nothing observes it, so that it would otherwise be dropped from the cache after five minutes.
 */
export function rememberOwnRings(queries: QueryClient, call: Call): void {
  const before = queries.getQueryData(callQuery(call.join_code).queryKey)?.participants ?? [];
  const rang = new Set(before.filter(({ state }) => state === 'ringing').map(({ id }) => id));
  const fresh = call.participants.filter(({ id, state }) => state === 'ringing' && !rang.has(id)).map(({ id }) => id);
  queries.setQueryDefaults(ownRingsKey, { gcTime: Infinity });
  queries.setQueryData<ReadonlySet<string>>(ownRingsKey, new Set([...ringsOf(queries), ...fresh]));
}

/** The participants whom the reader has rung from this page. */
export const ringsOf = (queries: QueryClient): ReadonlySet<string> =>
  queries.getQueryData<ReadonlySet<string>>(ownRingsKey) ?? new Set();

export const useOwnRings = (): ReadonlySet<string> => ringsOf(useQueryClient());
