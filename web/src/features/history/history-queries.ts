import type { Reply } from '@asterism/sdk';

export type PastCall = Reply<'callHistory', 'listCallHistory'>['items'][number];
export type Recorded = Reply<'recordings', 'listRecordings'>['items'][number];

export const historyKey = ['call-history'] as const;
/** One call of the history. */
export const pastCallKey = (conference_id: string) => [...historyKey, conference_id] as const;
/** The calls with one person. */
export const callsWithKey = (user_id: string) => [...historyKey, 'with', user_id] as const;
export const recordingsKey = ['recordings'] as const;
