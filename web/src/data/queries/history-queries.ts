import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

export type PastCall = Reply<'callHistory', 'listCallHistory'>['items'][number];
export type Recorded = Reply<'recordings', 'listRecordings'>['items'][number];

export const historyKey = ['call-history'] as const;
/** One call of the history. */
const pastCallKey = (conference_id: string) => [...historyKey, conference_id] as const;
/** The calls with one person. */
export const callsWithKey = (user_id: string) => [...historyKey, 'with', user_id] as const;
export const recordingsKey = ['recordings'] as const;
/** The recordings of one call. */
export const recordingsOfKey = (conference_id: string) => [...recordingsKey, conference_id] as const;

/** One call of the history; null without it. */
export const pastCallQuery = (conference_id: string) =>
  queryOptions({
    queryKey: pastCallKey(conference_id),
    queryFn: async ({ signal }) =>
      (await sdk.callHistory.listCallHistory({ query: { conference_id, limit: 1 }, signal })).items[0] ?? null,
  });
