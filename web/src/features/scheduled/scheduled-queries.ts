import type { Input, RealtimeStream, Reply } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';

/** A scheduled job: a message, a status, a call or a reminder. */
export type ScheduledJob = Reply<'scheduledJobs', 'listScheduledJobs'>['items'][number];
/** The request body of a new job. */
export type JobDraft = Input<'scheduledJobs', 'createScheduledJob'>['body'];
export type JobState = ScheduledJob['state'];

export const scheduledKey = ['scheduled'] as const;
/** The name of a job's target. */
export const targetNameKey = (target: ScheduledJob['target']) => ['target-name', target] as const;

/** The jobs of a state, newest first. */
export function useScheduled(state: JobState) {
  return useList<ScheduledJob>({
    queryKey: [...scheduledKey, state],
    load: (query, signal) => sdk.scheduledJobs.listScheduledJobs({ query: { ...query, state }, signal }),
  });
}

/** Updates cached scheduled jobs from the stream. */
export function subscribeToScheduled(stream: RealtimeStream, queries: QueryClient): void {
  const refetch = () => void queries.invalidateQueries({ queryKey: scheduledKey });
  stream.on('job.updated', refetch);
  stream.on('job.finished', refetch);
}
