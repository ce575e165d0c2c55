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
export const isTransient = (error: unknown): boolean =>
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
  refetchAfterFlight(queries, queryKey);
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
export function refetchAfterFlight(queries: QueryClient, queryKey: QueryKey): void {
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

/** The service no longer gives this to the reader: it was deleted, or is hidden from them, as after a block. */
const isWithdrawn = (error: unknown): boolean => hasCode(error, 'not_found') || hasCode(error, 'forbidden');

/** Whether another query is cached under the same identifier, and was not refused as well. */
const isOfSame = (query: Query, one: Query): boolean => {
  const id = query.queryKey.length > 1 ? query.queryKey.at(-1) : undefined;
  return id !== undefined && one !== query && one.queryKey.indexOf(id) > 0 && !isRefused(one.state.error);
};

/**
 * Drops what was read before of a thing that the service now withholds, since a query keeps its data when a fetch fails.
 * What else is cached of the same thing, as the messages of a chat, is read again where it is shown.
 */
function dropWithdrawn(queries: QueryClient, query: Query): void {
  const { data, fetchMeta } = query.state;
  // Of a list, only the further page is gone that was asked for.
  if (data === undefined || fetchMeta?.fetchMore !== undefined || query.meta?.['keeps_refused'] === true) return;
  // What a query starts with was read by another one, which is dropped below.
  if (query.options.initialData === undefined) query.setState({ data: undefined, dataUpdatedAt: 0 });
  const predicate = (one: Query) => isOfSame(query, one);
  queries.removeQueries({ type: 'inactive', predicate });
  for (const one of queries.getQueryCache().findAll({ predicate })) {
    // A fetch in flight would restore the data when its page closes.
    void one.cancel({ silent: true });
    one.setState({ data: undefined, dataUpdatedAt: 0, status: 'pending' });
  }
  void queries.invalidateQueries({ predicate });
}

/** The query cache. Queries are not retried, since the SDK does that. */
export function createQueries(handlers: GateHandlers): QueryClient {
  const react = (error: unknown) => {
    if (hasCode(error, 'mobile_unverified')) handlers.onMobileUnverified();
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        react(error);
        if (isWithdrawn(error)) dropWithdrawn(queries, query as Query);
      },
    }),
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
  return queries;
}
