import { callScheduledTarget, endUnanswered } from './rules/scheduled-calls.ts';
import { due_job } from './rules/wake.ts';
import { job } from '../../kernel/job.ts';
import { runDue } from './rules/run-due.ts';

/** Runs the due jobs. */
const runDueJobs = job<Record<string, never>>({
  ...due_job,
  run: (_nothing, services) => runDue(services),
});

export const scheduled_job_jobs = [runDueJobs, callScheduledTarget, endUnanswered];
