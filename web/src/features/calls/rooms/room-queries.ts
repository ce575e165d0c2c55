import type { RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { useList } from '../../../lists.ts';
import { catchUp } from '../../../queries.ts';
import { hasCode } from '../../../ui/problems/problem.ts';

export type LastingRoom = Reply<'rooms', 'getTagRoom'>;

/** Whose room it is: of a tag or of a group. */
export type RoomPlace = { readonly tag_id: string } | { readonly group_id: string };

export const roomsKey = ['rooms'] as const;
const roomKey = (of_id: string) => ['room', of_id] as const;

const load = (place: RoomPlace, signal: AbortSignal) =>
  'tag_id' in place
    ? sdk.rooms.getTagRoom({ path: { xtag_id: place.tag_id }, signal })
    : sdk.rooms.getGroupRoom({ path: { group_id: place.group_id }, signal });

/**
 * The room of a tag or a group, or null where there is none that the reader may come into. The stream tells of it: the
 * members of a group, those who follow a tag, and whoever looks at its page.
 */
export const roomQuery = (place: RoomPlace) =>
  queryOptions({
    queryKey: roomKey('tag_id' in place ? place.tag_id : place.group_id),
    queryFn: async ({ signal }): Promise<LastingRoom | null> => {
      try {
        return await load(place, signal);
      } catch (error) {
        if (hasCode(error, 'not_found')) return null;
        throw error;
      }
    },
  });

/** The rooms into which the reader may come. */
export function useRooms() {
  return useList<LastingRoom>({
    queryKey: roomsKey,
    load: (query, signal) => sdk.rooms.listRooms({ query, signal }),
  });
}

/** Asks again who is in a room of which the stream tells. */
export function followRooms(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('room.updated', ({ data }) => {
    void queries.invalidateQueries({ queryKey: roomsKey });
    void queries.invalidateQueries({ queryKey: roomKey(data.tag_id ?? data.group_id ?? '') });
  });
}

/** Asks again who is in the rooms, because the stream could not tell. */
export function refetchRooms(queries: QueryClient): void {
  catchUp(queries, [roomsKey, ['room']]);
}
