import type { RealtimeStream } from '@asterism/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { catchUp, updateCached } from '../cache.ts';
import type { IsKnown } from '../cache.ts';

const PAGE = 100;

/** The ids of the people who are online, among those whom the reader follows and who follow back. */
const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: async ({ signal }): Promise<string[]> => {
    const ids: string[] = [];
    for (let has_more = true; has_more;) {
      const page = await sdk.realtime.listPresence({ query: { limit: PAGE, offset: ids.length }, signal });
      ids.push(...page.items.map(({ user }) => user.id));
      has_more = page.has_more && page.items.length > 0;
    }
    return ids;
  },
  staleTime: Infinity,
  meta: { is_persisted: false },
});

/** Whether somebody is known to be online. */
export function useIsOnline(user_id: string): boolean {
  return useQuery({ ...presenceQuery, select: (ids) => ids.includes(user_id) }).data ?? false;
}

/** Updates who is online from the stream. */
export function subscribeToPresence(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('presence.updated', ({ data: { user, online } }) =>
    updateCached<string[]>(queries, presenceQuery.queryKey, (ids) => {
      const others = ids.filter((id) => id !== user.id);
      return online ? [...others, user.id] : others;
    }),
  );
}

/** Refetches who is online, after lost events. */
export function refetchPresence(queries: QueryClient, isKnown?: IsKnown): void {
  catchUp(queries, [presenceQuery.queryKey], isKnown);
}
