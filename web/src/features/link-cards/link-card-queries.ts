import type { QueryClient } from '@tanstack/react-query';
import { callQuery } from '../../data/queries/call-queries.ts';
import { personQuery } from '../../data/queries/person-queries.ts';
import { openGroupQuery } from '../../data/queries/open-group-query.ts';
import { profileQuery } from '../../data/queries/profile-queries.ts';
import type { OwnLink } from './own-links.ts';

/** How long a card is shown without being read again. */
const FRESH_MS = 5 * 60_000;

/** A card is read once for some time, however many texts have its link; pages read it again when they are opened. */
const once = {
  staleTime: FRESH_MS,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

export const tagCardQuery = (name: string) => ({ ...profileQuery(name), ...once });
export const personCardQuery = (user_id: string) => ({ ...personQuery(user_id), ...once });
export const groupCardQuery = (token: string) => ({ ...openGroupQuery(token), ...once });
export const callCardQuery = (join_code: string) => ({ ...callQuery(join_code), ...once });

const queries = { tag: tagCardQuery, person: personCardQuery, group: groupCardQuery, call: callCardQuery };

/** Whether the card of a link was read lately, so that showing it requests nothing. */
export const isCardFresh = (cache: QueryClient, { kind, id }: OwnLink): boolean =>
  Date.now() - (cache.getQueryState(queries[kind](id).queryKey)?.dataUpdatedAt ?? 0) < FRESH_MS;
