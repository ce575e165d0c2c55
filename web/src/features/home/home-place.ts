/** Where the stream of a page begins that was opened at home: where its answer was read. */
import { hashKey } from '@tanstack/react-query';
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import type { IsKnown } from '../../queries.ts';

export interface HomePlace {
  readonly last_event_id: string;
  /** What was read there, and not by itself since. */
  readonly isKnown: IsKnown;
}

/**
 * Reads the home page for the stream to begin there, so that it need not be read once more when the stream has come. It is the
 * request that the page itself makes.
 * @param parts the keys of what the home page tells besides itself
 * @returns undefined where it could not be read
 */
export async function readPlace<Home extends { last_event_id: string }, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Home, Error, Home, Key>,
  parts: readonly QueryKey[],
): Promise<HomePlace | undefined> {
  // Data that were kept from an earlier load are older than this page, and count as stale.
  const home = await queries.fetchQuery({ ...query, staleTime: performance.now() }).catch(() => undefined);
  const read_at_ms = queries.getQueryState(query.queryKey)?.dataUpdatedAt;
  if (home === undefined || read_at_ms === undefined) return undefined;
  const told = new Set([query.queryKey, ...parts].map(hashKey));
  const isKnown: IsKnown = ({ queryHash, state }) =>
    told.has(queryHash) && state.fetchStatus === 'idle' && state.dataUpdatedAt <= read_at_ms;
  return { last_event_id: home.last_event_id, isKnown };
}
