import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The page of this client that the reader wanted before signing in; anything else is dropped. */
export function readNext(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;
}

/** The `next` parameter of the current address. */
export function useNext(): string | undefined {
  const search: { next?: unknown } = useSearch({ strict: false });
  return readNext(search.next);
}

/** Continues after a sign-in, without cached data of an earlier account. */
export function useFinishSignIn(): () => void {
  const next = useNext();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useCallback(() => {
    queries.clear();
    void navigate({ href: next ?? '/', replace: true });
  }, [next, navigate, queries]);
}
