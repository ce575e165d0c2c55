import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { scheduledKey } from './scheduled-queries.ts';
import type { JobDraft, ScheduledJob } from './scheduled-queries.ts';
import { describeMoment, draftOf } from './scheduled-text.ts';
import { i18n } from '../../i18n/i18n.ts';

const create = (body: JobDraft) => sdk.scheduledJobs.createScheduledJob({ body });
const cancel = ({ id }: ScheduledJob) => sdk.scheduledJobs.cancelScheduledJob({ path: { job_id: id } });

function useRefetch() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: scheduledKey });
}

/** Why something cannot be scheduled, and what to do about it. */
function describeRefusal(error: unknown): string {
  if (hasCode(error, 'plan_limit_reached'))
    return i18n.t('You have reached your plan’s limit of scheduled messages. Cancel one, or upgrade.');
  return describeProblem(error);
}

/** Schedules a job; the toast offers to undo it. */
export function useSchedule(onDone: (job: ScheduledJob) => void) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: create,
    onSuccess: (job) => {
      const undo = () =>
        void cancel(job)
          .then(refetch)
          .catch((error: unknown) => showToast(describeProblem(error)));
      showToast(i18n.t('Scheduled for {moment}.', { moment: describeMoment(job.next_run_at ?? job.run_at) }), { undo });
      onDone(job);
    },
    onError: (error) => showToast(describeRefusal(error)),
    onSettled: refetch,
  });
}

/** Replaces a scheduled job: the new one is created before the old one is deleted. */
export function useReschedule(onDone: () => void) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: async ({ job, draft }: { job: ScheduledJob; draft: JobDraft }) => {
      const made = await create(draft);
      try {
        await cancel(job);
      } catch (error) {
        await cancel(made).catch(() => undefined);
        throw error;
      }
      return made;
    },
    onSuccess: (made) => {
      showToast(
        i18n.t('Saved. It is scheduled for {moment}.', { moment: describeMoment(made.next_run_at ?? made.run_at) }),
      );
      onDone();
    },
    onError: (error) => showToast(describeRefusal(error)),
    onSettled: refetch,
  });
}

/** Cancels a scheduled job; the toast offers to undo that while its time has not come. */
export function useCancelJob() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: cancel,
    onSuccess: (_, job) => {
      const again = draftOf(job);
      const undo = () =>
        void create(again)
          .then(refetch)
          .catch((error: unknown) => showToast(describeProblem(error)));
      showToast(i18n.t('Cancelled.'), job.state === 'failed' ? {} : { undo });
    },
    onError: (error) =>
      showToast(hasCode(error, 'already_decided') ? i18n.t('Too late: it has already run.') : describeProblem(error)),
    onSettled: refetch,
  });
}

/** Retries a failed job now. */
export function useRetryJob() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: ({ id }: ScheduledJob) => sdk.scheduledJobs.retryScheduledJob({ path: { job_id: id } }),
    onSuccess: () => showToast(i18n.t('Trying again now.')),
    onError: (error) => showToast(describeRefusal(error)),
    onSettled: refetch,
  });
}
