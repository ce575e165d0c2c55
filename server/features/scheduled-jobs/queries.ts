import { lockAccount } from '../../domain/accounts/accounts.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { pageOf, type Page } from '../../kernel/page.ts';
import { job_columns, type JobRow, lockJob } from './rules/scheduled-jobs.ts';

/** A scheduled job before it is inserted. */
export type NewJob = Pick<
  JobRow,
  'id' | 'user_id' | 'kind' | 'target' | 'body' | 'tag_id' | 'visibility' | 'run_at' | 'timezone' | 'rrule'
> & { next_run_at: Date; created_at: Date };

/**
 * Inserts a job, unless the account's plan has no room: then no row is returned. The lock on the account serialises
 * concurrent requests for the last place.
 */
export async function insertJob(db: Queryable, job: NewJob, allowed: number): Promise<JobRow | undefined> {
  const locked = lockAccount(db, job.user_id);
  const made = db.maybe<JobRow>(sql`
    with made as (
      insert into scheduled_jobs (id, user_id, kind, target, body, tag_id, visibility, run_at, timezone, rrule, state,
        next_run_at, due_at, created_at)
      select ${job.id}, ${job.user_id}, ${job.kind}, ${job.target && JSON.stringify(job.target)}::jsonb, ${job.body},
        ${job.tag_id}, ${job.visibility}, ${job.run_at}::timestamptz, ${job.timezone}, ${job.rrule}, 'scheduled',
        ${job.next_run_at}::timestamptz, ${job.next_run_at}::timestamptz, ${job.created_at}::timestamptz
      where (select count(*) from scheduled_jobs where user_id = ${job.user_id} and state = 'scheduled') < ${allowed}::int
      returning *)
    select ${job_columns} from made j`);
  const [, row] = await Promise.all([locked, made]);
  return row;
}

/** The account's time zone, unless another is given. */
export async function selectTimeZone(db: Queryable, user_id: string): Promise<string> {
  return (await db.one<{ timezone: string }>(sql`select timezone from users where id = ${user_id}`)).timezone;
}

/** The scheduled jobs of an account, newest first. */
export function selectJobs(
  db: Queryable,
  user_id: string,
  { state, ...page }: Page & { state?: JobRow['state'] | undefined },
): Promise<JobRow[]> {
  const of_state = state === undefined ? sql`` : sql`and j.state = ${state}`;
  return db.many<JobRow>(sql`
    select ${job_columns} from scheduled_jobs j where j.user_id = ${user_id} ${of_state} ${pageOf(page, 'j.id')}`);
}

/**
 * Reschedules a failed job to run at once, unless the plan has no room: then no row is returned. The caller has locked
 * the job.
 */
export async function reviveJob(
  db: Queryable,
  { id, user_id }: Pick<JobRow, 'id' | 'user_id'>,
  now: Date,
  allowed: number,
): Promise<JobRow | undefined> {
  const locked = lockAccount(db, user_id);
  const revived = db.maybe<JobRow>(sql`
    with revived as (
      update scheduled_jobs set state = 'scheduled', next_run_at = ${now}, due_at = ${now}, tries = 0, ended_at = null
      where id = ${id}
        and (select count(*) from scheduled_jobs where user_id = ${user_id} and state = 'scheduled') < ${allowed}::int
      returning *)
    select ${job_columns} from revived j`);
  const [, row] = await Promise.all([locked, revived]);
  return row;
}

/** Locks a job of an account until the end of the transaction. */
export const lockOwnJob = (db: Queryable, id: string, user_id: string): Promise<JobRow | undefined> =>
  lockJob(db, sql`j.id = ${id} and j.user_id = ${user_id}`);

/** Cancels a locked job. */
export const cancelJob = (db: Queryable, id: string, now: Date): Promise<JobRow> =>
  db.one<JobRow>(sql`
    with cancelled as (
      update scheduled_jobs set state = 'cancelled', next_run_at = null, due_at = null, ended_at = ${now} where id = ${id}
      returning *)
    select ${job_columns} from cancelled j`);
