import { useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { readFromHome } from '../../data/home-start.ts';
import { requestCountKey } from '../../data/queries/follow-queries.ts';

/** The number of follow requests that await the reader's decision. */
export function useRequestCount(): number {
  const count = useQuery({
    queryKey: requestCountKey,
    queryFn: ({ client, signal }) =>
      readFromHome(
        client,
        ({ unread }) => ({ count: unread.follow_requests }),
        () => sdk.follows.countFollowRequests({ signal }),
      ),
    staleTime: 60_000,
  });
  return count.data?.count ?? 0;
}
