import type { Input, RealtimeStream, Reply } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';

/** Something that is done later: a message, a status, a call or a reminder. */
export type ScheduledJob = Reply<'scheduledJobs', 'listScheduledJobs'>['items'][number];
/** What is sent to make one. */
export type JobDraft = Input<'scheduledJobs', 'createScheduledJob'>['body'];
export type JobState = ScheduledJob['state'];

export const scheduledKey = ['scheduled'] as const;

/** The jobs of a state, newest first. */
export function useScheduled(state: JobState) {
  return useList<ScheduledJob>({
    queryKey: [...scheduledKey, state],
    load: (query, signal) => sdk.scheduledJobs.listScheduledJobs({ query: { ...query, state }, signal }),
  });
}

/** Keeps what is shown of scheduled jobs as fresh as the stream. */
export function followScheduled(stream: RealtimeStream, queries: QueryClient): void {
  stream.on('job.finished', () => void queries.invalidateQueries({ queryKey: scheduledKey }));
}
