import type { RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { catchUp, updateCached } from '../../data/cache.ts';

export type LocationSettings = Reply<'location', 'getLocationSettings'>;
export type LocationPeople = Reply<'location', 'listLocationPeople'>;
export type PersonLocation = LocationPeople['items'][number];
export type LocationLink = Reply<'location', 'listLocationLinks'>['items'][number];
export type LocationView = Reply<'location', 'listLocationViews'>['items'][number];
export type MapConfig = Reply<'location', 'getLocationConfig'>;

/** The token of the map is valid for an hour: a new one is fetched before. */
export const mapConfigQuery = queryOptions({
  queryKey: ['map-config'],
  queryFn: ({ signal }) => sdk.location.getLocationConfig({ signal }),
  staleTime: 50 * 60_000,
});

export const locationSettingsQuery = queryOptions({
  queryKey: ['location-settings'],
  queryFn: ({ signal }) => sdk.location.getLocationSettings({ signal }),
  staleTime: 60_000,
});

export const locationPeopleQuery = queryOptions({
  queryKey: ['location-people'],
  queryFn: ({ signal }) => sdk.location.listLocationPeople({ query: { limit: 100 }, signal }),
  staleTime: 30_000,
  // When there are very many viewers, not all of them get live updates.
  refetchInterval: 30_000,
});

export const locationLinksQuery = queryOptions({
  queryKey: ['location-links'],
  queryFn: ({ signal }) => sdk.location.listLocationLinks({ query: { limit: 100 }, signal }),
});

export const locationViewsQuery = queryOptions({
  queryKey: ['location-views'],
  queryFn: ({ signal }) => sdk.location.listLocationViews({ query: { limit: 100 }, signal }),
});

/** People near a place who share their location with everyone. */
export const nearbyKey = (latitude: string | undefined, longitude: string | undefined) =>
  ['location-nearby', latitude, longitude] as const;

function storePerson(queries: QueryClient, person: PersonLocation): void {
  updateCached<LocationPeople>(queries, locationPeopleQuery.queryKey, (data) => ({
    ...data,
    items: [person, ...data.items.filter(({ user }) => user.id !== person.user.id)],
  }));
}

/** Updates cached locations from the stream. */
export function subscribeToLocation(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('location.updated', ({ data }) => storePerson(queries, data));
  stream.on('location.stopped', ({ data }) =>
    updateCached<LocationPeople>(queries, locationPeopleQuery.queryKey, (known) => ({
      ...known,
      items: known.items.filter(({ user }) => user.id !== data.user_id),
    })),
  );
}

/** Refetches everything that the stream would have updated, after lost events. */
export function refetchLocation(queries: QueryClient): void {
  catchUp(queries, [['location-people'], ['location-settings'], ['location-links'], ['location-views']]);
}
