import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

/** A person as their page shows them. */
export type PersonPage = Reply<'profiles', 'getPerson'>;

/** All persons whose pages were opened. */
export const personKey = ['person'] as const;

/** A person as the reader sees them. They are read at each visit, since nothing tells a reader that they are blocked. */
export function personQuery(user_id: string) {
  return queryOptions({
    queryKey: [...personKey, user_id],
    queryFn: ({ signal }) => sdk.profiles.getPerson({ path: { user_id }, signal }),
    staleTime: 0,
  });
}
