import type { RealtimeStream } from '@asterism/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { activeCallQuery } from '../../data/queries/call-queries.ts';
import { requestCountKey } from '../../data/queries/follow-queries.ts';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { inboxCountQuery } from '../../data/queries/inbox-queries.ts';
import { meQuery } from '../../data/queries/me-query.ts';
import { unreadQuery } from '../../data/queries/notification-queries.ts';
import { ownTagsQuery } from '../../data/queries/tag-queries.ts';
import { localizeNames } from '../../i18n/default-names.ts';
import { homeKey } from '../../data/queries/home-query.ts';
import { registerFirstRequest } from '../../data/home-start.ts';
import type { Home } from '../../data/home-start.ts';
import { readEarly } from '../../early-answers.ts';
import { registerRead } from '../../data/stream-start.ts';
import { feedKey } from '../../data/queries/status-queries.ts';

/** Caches each part under its query; a fresh feed is left alone, so that it does not move. */
function shareParts(queries: QueryClient, home: Home): void {
  const parts = [
    [meQuery.queryKey, home.me],
    [gridQuery.queryKey, home.grid],
    [activeCallQuery.queryKey, home.active_call && localizeNames(home.active_call)],
    [unreadQuery.queryKey, { count: home.unread.notifications }],
    [inboxCountQuery.queryKey, { count: home.unread.inbox }],
    [requestCountKey, { count: home.unread.follow_requests }],
  ] as const;
  const share = (key: QueryKey, data: unknown) => {
    queries.setQueryData(key, data);
    registerRead(queries, key);
  };
  for (const [key, part] of parts) share(key, part);
  const feed = queries.getQueryState(feedKey);
  if (feed?.data === undefined || feed.isInvalidated) share(feedKey, { pages: [home.feed], pageParams: [undefined] });
}

const homeQuery = (queries: QueryClient) =>
  queryOptions({
    queryKey: homeKey,
    queryFn: async ({ signal }) => {
      const home = await sdk.home.getHome({ signal });
      shareParts(queries, home);
      return home;
    },
  });

/**
 * The whole home page in one request. While `is_coming`, its parts are being loaded and need no requests of their own,
 * even if older data are shown in the meantime.
 */
export function useHome() {
  const { data, isPending, isLoading, isError, isFetching, isStale, error, refetch } = useQuery(
    homeQuery(useQueryClient()),
  );
  return { data, isPending, isLoading, isError, error, refetch, is_coming: isPending || (isFetching && isStale) };
}

/** Requests the home page as the first request of any page, for the counts and the call that the frame shows. */
export function requestHome(queries: QueryClient): Promise<Home> {
  // Data that an earlier page has stored on the device count as stale.
  const home = queries.fetchQuery({ ...homeQuery(queries), staleTime: performance.now() });
  registerFirstRequest(queries, home);
  return home;
}

/** Reads what has already come of the home page and the reader's tags. */
export const readEarlyHome = (queries: QueryClient): Promise<void> =>
  readEarly({
    '/v1/home': () => requestHome(queries),
    '/v1/xtags?limit=100': () => queries.prefetchQuery(ownTagsQuery),
  });

/** Updates from the stream those parts of the home page that no other area updates. */
export function subscribeToHome(stream: RealtimeStream, queries: QueryClient): void {
  const refetch = () => void queries.invalidateQueries({ queryKey: homeKey });
  stream.on('calendar.changed', refetch);
  stream.on('job.updated', refetch);
  stream.on('job.finished', refetch);
  stream.on('group.updated', refetch);
  stream.on('group.deleted', refetch);
}
