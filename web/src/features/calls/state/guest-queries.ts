import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { guestsKey } from '../../../data/queries/call-queries.ts';

/** The guest's admission, and the call as they see it. */
export const guestKey = (join_code: string) => ['call-guest', join_code] as const;
export const guestCallKey = (join_code: string) => ['guest-call', join_code] as const;

/** The guests who wait for admission to a call. */
export const waitingQuery = (join_code: string) =>
  queryOptions({
    queryKey: [...guestsKey, join_code],
    queryFn: async ({ signal }) => (await sdk.callGuests.listCallGuests({ path: { join_code }, signal })).items,
  });
