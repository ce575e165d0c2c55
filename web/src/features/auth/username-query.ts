import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** Whether a username is available. */
export const usernameQuery = (username: string) =>
  queryOptions({
    queryKey: ['username', username],
    queryFn: ({ signal }) => sdk.auth.checkUsername({ query: { username }, signal }),
    staleTime: 20_000,
  });
