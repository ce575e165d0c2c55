import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { fail, found } from '../../kernel/errors.ts';
import { emitUpdated, presentJob, ScheduledJob } from './rules/scheduled-jobs.ts';
import { wakeAt } from './rules/wake.ts';
import { lockOwnJob, reviveJob } from './queries.ts';
import { JobPath } from './schemas.ts';

export const retryScheduledJob = endpoint({
  id: 'retryScheduledJob',
  route: 'POST /scheduled-jobs/{job_id}/retry',
  summary: 'Retry a failed scheduled job',
  description: 'Runs it now.',
  extension: true,
  path: JobPath,
  reply: ScheduledJob,
  errors: ['already_decided', 'plan_limit_reached'],
  async run({ caller, origin, path, ...change }) {
    const { db, now } = change;
    const job = found(await lockOwnJob(db, path.job_id, caller.user_id));
    if (job.state !== 'failed') fail('already_decided', { message: 'Only a failed job can be retried.' });
    const row = await reviveJob(db, job, now, plan_limits[caller.tier].scheduled_jobs);
    const revived = row ?? fail('plan_limit_reached');
    wakeAt(change, now);
    await emitUpdated(change, revived);
    return presentJob(revived, languageOfOrigin(origin));
  },
});
