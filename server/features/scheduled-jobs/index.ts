import { jobFinished, jobUpdated } from './rules/scheduled-jobs.ts';
import { feature } from '../../kernel/endpoint.ts';
import { cancelScheduledJob } from './cancel-scheduled-job.ts';
import { createScheduledJob } from './create-scheduled-job.ts';
import { scheduled_job_jobs } from './jobs.ts';
import { lifecycle } from './lifecycle.ts';
import { listScheduledJobs } from './list-scheduled-jobs.ts';
import { retryScheduledJob } from './retry-scheduled-job.ts';

export const scheduledJobs = feature({
  area: 'scheduled-jobs',
  title: 'Scheduled messages',
  endpoints: [listScheduledJobs, createScheduledJob, cancelScheduledJob, retryScheduledJob],
  events: [jobFinished, jobUpdated],
  jobs: scheduled_job_jobs,
  lifecycle,
});
