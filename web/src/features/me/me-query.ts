import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';

/** The signed-in account with the state of its gate. */
export type Me = Reply<'me', 'getMe'>;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => sdk.me.getMe({ signal }),
  staleTime: 60_000,
});

/** The signed-in account; undefined until it is known. */
export function useMe(): Me | undefined {
  return useQuery(meQuery).data;
}
