import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../home-start.ts';

/** The signed-in account with the state of its gate. */
export type Me = Reply<'me', 'getMe'>;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ client, signal }) =>
    readFromHome(
      client,
      ({ me }) => me,
      () => sdk.me.getMe({ signal }),
    ),
  staleTime: 60_000,
});

/** Where the account is signed in. */
export const sessionsKey = ['sessions'] as const;

/** The account's names on other networks. */
export const handlesKey = ['im-identities'] as const;

/** A pending change of the password, which ends this session too. */
export const changePasswordKey = ['change-password'] as const;

/** The account's mobile number and its verification state. */
export const mobileQuery = queryOptions({
  queryKey: ['mobile'],
  queryFn: ({ signal }) => sdk.me.getMobile({ signal }),
});

/** Whether the signed-in account is still being read: what is stored of it, such as drafts, is then not found. */
export const useIsMePending = (): boolean => useQuery(meQuery).isPending;

/** The signed-in account; undefined until it is known. */
export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}
