import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { JobPath } from './schemas.ts';
import { cancelJob, lockOwnJob } from './queries.ts';
import { emitUpdated } from './rules/scheduled-jobs.ts';

export const cancelScheduledJob = endpoint({
  id: 'cancelScheduledJob',
  route: 'DELETE /scheduled-jobs/{job_id}',
  summary: 'Cancel a scheduled message, call, status or reminder',
  path: JobPath,
  errors: ['already_decided'],
  async run({ caller, path, ...change }) {
    const { db, now } = change;
    const job = found(await lockOwnJob(db, path.job_id, caller.user_id));
    if (job.state === 'running' || job.state === 'done') fail('already_decided');
    if (job.state === 'cancelled') return;
    await emitUpdated(change, await cancelJob(db, job.id, now));
  },
});
