import { ApiError } from '@asterism/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import type { Query, QueryKey } from '@tanstack/react-query';
import { hasCode } from '../ui/problems/problem.ts';

/** Global handling of refused requests. */
export interface GateHandlers {
  onMobileUnverified: () => void;
}

/** The service has refused: a repeated request would be refused again. */
export const isRefused = (error: Error | null): error is ApiError => error instanceof ApiError && error.status < 500;

/** Whether a later retry may help. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rate_limited' ? true : !isRefused(error as Error);

/** Whether the stream has been connected since a query was read, so that no event was missed. */
export type IsKnown = (query: Query) => boolean;

/**
 * Refetches everything that the stream would have updated, after lost events. Queries that the service refused are not
 * repeated: that would only make the page with the explanation disappear for a moment.
 */
export function catchUp(
  queries: QueryClient,
  keys: readonly (readonly string[])[],
  isKnown: IsKnown = () => false,
): void {
  const isMissing = (query: Query) => !isRefused(query.state.error) && !isKnown(query);
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey, predicate: isMissing });
}

/**
 * Applies a change to cached data under a key, from an event or an answer. Data without a change are not touched, and
 * stale data stay stale. A fetch in flight may have been read before the change: it is repeated when it has finished.
 * @param change returns its argument when there is nothing to change
 */
export function updateCached<T>(queries: QueryClient, queryKey: QueryKey, change: (data: T) => T): void {
  fetchAgain(queries, queryKey);
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const data = query.state.data as T | undefined;
    const changed = data === undefined ? data : change(data);
    if (changed === data) continue;
    const { isInvalidated, dataUpdatedAt } = query.state;
    queries.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt });
    if (isInvalidated) query.invalidate();
  }
}

const to_be_repeated = new WeakSet<Query>();

/** Repeats the fetches in flight under a key when they have finished: they may have been read before a change. */
export function fetchAgain(queries: QueryClient, queryKey: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    void refetchOnce(queries, query);
}

async function refetchOnce(queries: QueryClient, query: Query): Promise<void> {
  if (to_be_repeated.has(query)) return;
  to_be_repeated.add(query);
  // Resolves with the fetch in flight.
  await query.fetch().catch(() => undefined);
  to_be_repeated.delete(query);
  if (!isRefused(query.state.error)) await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
}

/** The query cache. Queries are not retried, since the SDK does that. */
export function createQueries(handlers: GateHandlers): QueryClient {
  const react = (error: unknown) => {
    if (hasCode(error, 'mobile_unverified')) handlers.onMobileUnverified();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: react }),
    defaultOptions: {
      queries: {
        retry: (count, error) => count < 1 && !isRefused(error),
        staleTime: 10_000,
        // The SDK determines whether the service is reachable; waiting for the browser's online state would help
        // nobody.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { onError: react, networkMode: 'always' },
    },
  });
}
