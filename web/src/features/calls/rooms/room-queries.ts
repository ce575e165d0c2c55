import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { useList } from '../../../lists.ts';
import { hasCode } from '../../../ui/problems/problem.ts';

export type LastingRoom = Reply<'rooms', 'getTagRoom'>;

/** Whose room it is: of a tag or of a group. */
export type RoomPlace = { readonly tag_id: string } | { readonly group_id: string };

/** How often a page that is looked at asks who is in a room, in milliseconds. */
export const LIVE_EVERY_MS = 5_000;

export const roomsKey = ['rooms'] as const;

const load = (place: RoomPlace, signal: AbortSignal) =>
  'tag_id' in place
    ? sdk.rooms.getTagRoom({ path: { xtag_id: place.tag_id }, signal })
    : sdk.rooms.getGroupRoom({ path: { group_id: place.group_id }, signal });

/** The room of a tag or a group, or null where there is none that the reader may come into. */
export const roomQuery = (place: RoomPlace) =>
  queryOptions({
    queryKey: ['room', 'tag_id' in place ? place.tag_id : place.group_id],
    queryFn: async ({ signal }): Promise<LastingRoom | null> => {
      try {
        return await load(place, signal);
      } catch (error) {
        if (hasCode(error, 'not_found')) return null;
        throw error;
      }
    },
    refetchInterval: (query) => (query.state.data ? LIVE_EVERY_MS : false),
  });

/** The rooms into which the reader may come. */
export function useRooms() {
  return useList<LastingRoom>({
    queryKey: roomsKey,
    load: (query, signal) => sdk.rooms.listRooms({ query, signal }),
    asks_every_ms: LIVE_EVERY_MS,
  });
}
