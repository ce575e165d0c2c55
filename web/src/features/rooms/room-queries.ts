import type { RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { catchUp } from '../../data/cache.ts';
import { hasCode } from '../../ui/problems/problem.ts';

export type LastingRoom = Reply<'rooms', 'getTagRoom'>;

/** The owner of a room: a tag or a group. */
export type RoomPlace = { readonly tag_id: string } | { readonly group_id: string };

export const roomsKey = ['rooms'] as const;
const openRoomsKey = ['room'] as const;
const roomKey = (of_id: string) => [...openRoomsKey, of_id] as const;

const load = (place: RoomPlace, signal: AbortSignal) =>
  'tag_id' in place
    ? sdk.rooms.getTagRoom({ path: { xtag_id: place.tag_id }, signal })
    : sdk.rooms.getGroupRoom({ path: { group_id: place.group_id }, signal });

/**
 * The room of a tag or a group, or null when the reader may not enter one. Updated by the stream for members of a
 * group, followers of a tag, and people viewing its page.
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

/** The rooms that the reader may enter. */
export function useRooms() {
  return useList<LastingRoom>({
    queryKey: roomsKey,
    load: (query, signal) => sdk.rooms.listRooms({ query, signal }),
  });
}

/** Refetches who is in a room after an event about it. */
export function subscribeToRooms(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('room.updated', ({ data }) => {
    void queries.invalidateQueries({ queryKey: roomsKey });
    void queries.invalidateQueries({ queryKey: roomKey(data.tag_id ?? data.group_id ?? '') });
  });
}

/** Refetches all rooms after lost events. */
export function refetchRooms(queries: QueryClient): void {
  catchUp(queries, [roomsKey, openRoomsKey]);
}
