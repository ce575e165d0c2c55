import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { readReplacedSession } from '../../asterism.ts';
import { meQuery } from '../../data/queries/me-query.ts';

/** The page of this client that the reader wanted before signing in; anything else is dropped. */
export function readNext(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;
}

/** The `next` parameter of the current address. */
export function useNext(): string | undefined {
  const search: { next?: unknown } = useSearch({ strict: false });
  return readNext(search.next);
}

/** Deletes what accounts that have left this browser stored in it. */
async function forgetOthersOf(queries: QueryClient): Promise<void> {
  const [{ id }, { forgetOthers }] = await Promise.all([queries.fetchQuery(meQuery), import('./sign-out.ts')]);
  await forgetOthers(id);
}

/**
 * Continues after a sign-in. A page that has had another session is loaded again: an answer that it still waits for, or
 * anything else in its memory, may be another account's.
 */
export function useFinishSignIn(): () => void {
  const next = useNext();
  const router = useRouter();
  const queries = useQueryClient();
  return useCallback(() => {
    queries.clear();
    const href = next ?? '/';
    const replaced = readReplacedSession();
    if (replaced === undefined) {
      void forgetOthersOf(queries).catch(() => undefined);
      return void router.navigate({ href, replace: true });
    }
    const reload = () => window.location.replace(`/app${href}`);
    void import('./sign-out.ts').then((out) => out.endReplacedSession(replaced)).finally(reload);
  }, [next, router, queries]);
}
