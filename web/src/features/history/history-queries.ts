import type { Reply } from '@asterism/sdk';

export type PastCall = Reply<'callHistory', 'listCallHistory'>['items'][number];
export type Recorded = Reply<'recordings', 'listRecordings'>['items'][number];

export const historyKey = ['call-history'] as const;
export const recordingsKey = ['recordings'] as const;
