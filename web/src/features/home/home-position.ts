/** The position in the stream at which the home page was read: the stream of a page starts there. */
import { hashKey } from '@tanstack/react-query';
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import type { IsKnown } from '../../data/cache.ts';

/** The home page, and the position of the stream at which it was read. */
export interface HomePosition<Home> {
  readonly home: Home;
  /** Whether a query's data were read there or later, so that no update of them can have been missed. */
  readonly isKnown: IsKnown;
}

/**
 * Reads the home page as the start of the stream, so that it need not be refetched when the stream is connected. The home
 * page shares the request.
 * @param parts the keys of the other queries that its answer fills
 * @returns undefined if it could not be read
 */
export async function readPosition<Home extends { last_event_id: string }, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Home, Error, Home, Key>,
  parts: readonly QueryKey[],
): Promise<HomePosition<Home> | undefined> {
  // Persisted data of an earlier page load count as stale.
  const home = await queries.fetchQuery({ ...query, staleTime: performance.now() }).catch(() => undefined);
  if (home === undefined) return undefined;
  // By identity: a query that fetches equal data keeps the object that it had.
  const known = new Map([query.queryKey, ...parts].map((key) => [hashKey(key), queries.getQueryData(key)]));
  const read_ms = queries.getQueryState(query.queryKey)?.dataUpdatedAt ?? Infinity;
  const isKnown: IsKnown = ({ queryHash, state, meta }) => {
    if (state.fetchStatus !== 'idle') return false;
    if (known.has(queryHash)) return state.data === known.get(queryHash);
    return meta?.['is_after_home'] === true && state.dataUpdatedAt >= read_ms;
  };
  return { home, isKnown };
}
