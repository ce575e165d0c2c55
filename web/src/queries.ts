import { ApiError } from '@asterism/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import type { Query, QueryKey } from '@tanstack/react-query';
import { hasCode } from './ui/problems/problem.ts';

/** What the whole client does about refusals that are not of one page. */
export interface GateHandlers {
  onMobileUnverified: () => void;
}

/** The service has heard and refused: asking again would be refused again. */
export const isRefused = (error: Error | null): error is ApiError => error instanceof ApiError && error.status < 500;

/** Whether the stream goes on from where a query was read, so that nothing of it can have been missed. */
export type IsKnown = (query: Query) => boolean;

/**
 * Fetches again whatever the stream would have told of, when it could not. What the service refused it would refuse
 * again: asking would only take the page away that says so, for a moment.
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
 * Changes what is kept under a key by what the stream or an answer tells of one thing. That is no news of all else: what
 * has not changed is not touched, and what was out of date stays so. What is being fetched may have been read before the
 * change: it is fetched once more when it has come.
 * @param change answers what it was given where it has nothing to change
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

/** Fetches once more, when it has come, whatever is being fetched under a key: it may have been read before a change. */
export function fetchAgain(queries: QueryClient, queryKey: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    void fetchOnceMore(queries, query);
}

async function fetchOnceMore(queries: QueryClient, query: Query): Promise<void> {
  if (to_be_repeated.has(query)) return;
  to_be_repeated.add(query);
  // Answers with the fetch that is under way.
  await query.fetch().catch(() => undefined);
  to_be_repeated.delete(query);
  if (!isRefused(query.state.error)) await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
}

/** The cache of everything fetched. The SDK retries by itself, so nothing is tried again here. */
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
        // The SDK finds out whether the service can be reached; waiting in silence for the browser's opinion helps nobody.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { onError: react, networkMode: 'always' },
    },
  });
}
