import { ApiError } from '@asterism/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './ui/problem.ts';

/** What the whole client does about refusals that are not of one page. */
export interface GateHandlers {
  onMobileUnverified: () => void;
}

/**
 * Fetches again whatever the stream would have told of, when it could not. What the service refused it would refuse
 * again: asking would only take the page away that says so, for a moment.
 */
export function catchUp(queries: QueryClient, keys: readonly (readonly string[])[]): void {
  const isRefused = (error: Error | null) => error instanceof ApiError && error.status < 500;
  for (const queryKey of keys)
    void queries.invalidateQueries({ queryKey, predicate: ({ state }) => !isRefused(state.error) });
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
        retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status < 500),
        staleTime: 10_000,
        // The SDK finds out whether the service can be reached; waiting in silence for the browser's opinion helps nobody.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { onError: react, networkMode: 'always' },
    },
  });
}
