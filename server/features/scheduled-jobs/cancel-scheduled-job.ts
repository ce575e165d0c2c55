import { lockJob } from './rules/scheduled-jobs.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { JobPath } from './schemas.ts';

export const cancelScheduledJob = endpoint({
  id: 'cancelScheduledJob',
  route: 'DELETE /scheduled-jobs/{job_id}',
  summary: 'Cancel a scheduled message, call, status or reminder',
  path: JobPath,
  errors: ['already_decided'],
  async run({ caller, path, db, now }) {
    const job = found(await lockJob(db, sql`j.id = ${path.job_id} and j.user_id = ${caller.user_id}`));
    if (job.state === 'running' || job.state === 'done') fail('already_decided');
    if (job.state === 'cancelled') return;
    await db.run(sql`
      update scheduled_jobs set state = 'cancelled', next_run_at = null, due_at = null, ended_at = ${now}
      where id = ${job.id}`);
  },
});
