/** Wake-up jobs: one queue job for each second in which something is due. */
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { Change } from '../../../kernel/services.ts';
import type { JobName } from '../../../kernel/job-queue.ts';
import { isActive } from '../../../domain/visibility/people.ts';

/** The queue job that runs what is due; it is implemented in the area of scheduled jobs. */
export const due_job = { name: 'scheduled-jobs.due', max_attempts: 10 } as const satisfies JobName;

/** Ensures that what is due at a time is run then. */
export function wakeAt({ enqueue }: Pick<Change, 'enqueue'>, moment: Date): void {
  enqueue(due_job, {}, { run_at: moment, key: `${due_job.name}:${Math.floor(moment.getTime() / 1000)}` });
}

/** The owner of a job, with their current permissions; undefined when the account is deleted or suspended. */
export async function selectJobCaller(db: Queryable, user_id: string): Promise<Caller | undefined> {
  const row = await db.maybe<Pick<Caller, 'mobile_verified' | 'tier'>>(sql`
    select mobile_verified, tier from users u where u.id = ${user_id} and ${isActive()}`);
  return row && { user_id, session_id: '', ...row };
}
