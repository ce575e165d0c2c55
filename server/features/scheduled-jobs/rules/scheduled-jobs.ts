/** Scheduled jobs: their schema, and the end of a run. */
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { event } from '../../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../../kernel/schema.ts';
import type { Change } from '../../../kernel/services.ts';
import { wireTime, wireTimeOrNull } from '../../../kernel/time.ts';
import { Target, type CallTarget } from '../../../domain/calls/start/callees.ts';
import type { Language } from '../../../kernel/language/i18n.ts';
import { languageOfLocale } from '../../../kernel/language/accept-language.ts';
import { presentFailure } from '../../../domain/scheduling/failures.ts';
import { job_kinds, type JobKind } from '../../../domain/scheduling/job-kinds.ts';
import { status_visibilities, type StatusVisibility } from '../../../domain/social/statuses.ts';
import { notify } from '../../../domain/notifications/notify.ts';
import { nextOccurrence } from '../../../domain/recurrence/next-occurrence.ts';

/** The states of a scheduled job. */
export const job_states = ['scheduled', 'running', 'done', 'failed', 'cancelled'] as const;
/** The number of runs stored for each job. */
const kept_runs = 10;

export const ScheduledJob = component(
  'ScheduledJob',
  object({
    id: idOf('job'),
    kind: oneOf(...job_kinds),
    target: nullable(Target),
    body: nullable(Type.String()),
    tag_id: nullable(idOf('tag')),
    visibility: nullable(oneOf(...status_visibilities)),
    run_at: moment,
    timezone: Type.String(),
    rrule: nullable(Type.String()),
    next_run_at: nullable(moment),
    state: oneOf(...job_states),
    last_error: nullable(Type.String({ description: 'Why the last run failed, as a sentence, or `missed`.' })),
    runs: Type.Array(object({ at: moment, state: oneOf('done', 'failed'), error: Type.Optional(Type.String()) }), {
      maxItems: kept_runs,
      description: 'The latest runs, newest first; `at` is the scheduled time of each.',
    }),
    created_at: moment,
  }),
);

export const jobUpdated = event(
  'job.updated',
  'A scheduled job was created, cancelled, retried or started, also by another device of yours.',
  object({ job: ScheduledJob }),
);
export const jobFinished = event('job.finished', 'A scheduled job has run or failed.', object({ job: ScheduledJob }));

/** A run of a scheduled job, and why it failed. */
export type Run = { at: string; state: 'done' | 'failed'; error?: string };

/** The columns of a scheduled job. */
export type JobRow = {
  id: string;
  user_id: string;
  kind: JobKind;
  target: CallTarget | null;
  body: string | null;
  tag_id: string | null;
  visibility: StatusVisibility | null;
  run_at: Date;
  timezone: string;
  rrule: string | null;
  state: (typeof job_states)[number];
  next_run_at: Date | null;
  tries: number;
  call_id: string | null;
  last_error: string | null;
  /** Newest first. */
  runs: Run[];
  created_at: Date;
};

/** The columns of JobRow, over `scheduled_jobs j`. */
export const job_columns = sql`
  j.id, j.user_id, j.kind, j.target, j.body, j.tag_id, j.visibility, j.run_at, j.timezone, j.rrule, j.state,
  j.next_run_at, j.tries, j.call_id, j.last_error, j.runs, j.created_at`;

/** A job as its owner sees it; the failure is in their language. */
export function presentJob(row: JobRow, language: Language): Static<typeof ScheduledJob> {
  return {
    id: row.id,
    kind: row.kind,
    target: row.target,
    body: row.body,
    tag_id: row.tag_id,
    visibility: row.visibility,
    run_at: wireTime(row.run_at),
    timezone: row.timezone,
    rrule: row.rrule,
    next_run_at: wireTimeOrNull(row.next_run_at),
    state: row.state,
    last_error: row.last_error === null ? null : presentFailure(row.last_error, language),
    runs: row.runs.map((run) =>
      run.error === undefined ? run : { ...run, error: presentFailure(run.error, language) },
    ),
    created_at: wireTime(row.created_at),
  };
}

/**
 * Locks a job until the end of the transaction; undefined when there is none, or another transaction has locked it and
 * `skip` is set.
 */
export function lockJob(db: Queryable, which: Sql, skip = false): Promise<JobRow | undefined> {
  const how = skip ? sql`for update skip locked` : sql`for update`;
  return db.maybe<JobRow>(sql`select ${job_columns} from scheduled_jobs j where ${which} ${how}`);
}

/** The next occurrence after a time; undefined for a job that does not repeat, and after the last. */
export const nextRun = ({ rrule, run_at, timezone }: JobRow, after: Date): Date | undefined =>
  rrule === null ? undefined : nextOccurrence(rrule, run_at, timezone, after);

/** How a run ended. */
export type Ending = {
  /** The scheduled time of the run. */
  at: Date;
  /** Why it failed, as English text for a user; undefined on success. */
  error?: string | undefined;
  /** The next run; undefined after the last. */
  next?: Date | undefined;
};

/**
 * Ends one run of a locked job: stores it, and notifies the owner's devices; on failure with a notification.
 * @returns the updated job; the caller plans the next run
 */
export async function endRun(change: Change, job: JobRow, ending: Ending): Promise<JobRow> {
  const { at, error, next } = ending;
  const run: Run = { at: wireTime(at), state: error === undefined ? 'done' : 'failed', ...(error ? { error } : {}) };
  const ended: JobRow = {
    ...job,
    state: next ? 'scheduled' : run.state,
    next_run_at: next ?? null,
    tries: 0,
    call_id: null,
    last_error: error ?? null,
    runs: [run, ...job.runs].slice(0, kept_runs),
  };
  await change.db.run(sql`
    update scheduled_jobs set state = ${ended.state}, next_run_at = ${ended.next_run_at}, due_at = ${ended.next_run_at},
      tries = 0, call_id = null, last_error = ${ended.last_error}, runs = ${JSON.stringify(ended.runs)}::jsonb,
      ended_at = ${next ? null : change.now}
    where id = ${job.id}`);
  const language = await selectLanguage(change.db, ended);
  change.emit(jobFinished, [`user:${job.user_id}`], { job: presentJob(ended, language) });
  if (error !== undefined) {
    const subject = { type: 'scheduled_job' as const, id: job.id };
    const source_id = change.id('out');
    const occasion = { to: job.user_id, actor_id: job.user_id, kind: 'job_failed' as const, subject, source_id };
    await notify(change, { ...occasion, failure: error });
  }
  return ended;
}

/** Sends a job to its owner's devices. */
export async function emitUpdated(change: Change, job: JobRow): Promise<void> {
  change.emit(jobUpdated, [`user:${job.user_id}`], { job: presentJob(job, await selectLanguage(change.db, job)) });
}

/** The language of a job's owner, who may have made no request; not read unless there is a failure. */
async function selectLanguage(db: Queryable, { user_id, runs }: JobRow): Promise<Language> {
  if (runs.every(({ error }) => error === undefined)) return 'en';
  return languageOfLocale(
    (await db.one<{ locale: string }>(sql`select locale from users where id = ${user_id}`)).locale,
  );
}
