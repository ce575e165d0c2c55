import { callQuery } from '../../data/queries/call-queries.ts';
import { personQuery } from '../../data/queries/person-queries.ts';
import { openGroupQuery } from '../../data/queries/open-group-query.ts';
import { profileQuery } from '../../data/queries/profile-queries.ts';

/** A card is read once for some time, however many texts have its link; pages read it again when they are opened. */
const once = {
  staleTime: 5 * 60_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

export const tagCardQuery = (name: string) => ({ ...profileQuery(name), ...once });
export const personCardQuery = (user_id: string) => ({ ...personQuery(user_id), ...once });
export const groupCardQuery = (token: string) => ({ ...openGroupQuery(token), ...once });
export const callCardQuery = (join_code: string) => ({ ...callQuery(join_code), ...once });
