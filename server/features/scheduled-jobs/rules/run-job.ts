/** A run of a scheduled job: its effect and its result are one transaction. */
import { requireReachableTarget, requireTagOwned } from './targets.ts';
import { notify } from '../../../domain/notifications/notify.ts';
import { explainFailure, missed, internal_failure } from '../../../domain/scheduling/failures.ts';
import { ringCaller } from './scheduled-calls.ts';
import { endRun, lockJob, nextRun, type JobRow } from './scheduled-jobs.ts';
import { selectJobCaller, wakeAt } from './wake.ts';
import { sendText } from '../../../domain/messages/text-targets.ts';
import { sql } from '../../../kernel/database/database.ts';
import type { Origin } from '../../../kernel/caller.ts';
import { ApiError, fail } from '../../../kernel/errors.ts';
import type { InProcessContext } from '../../../kernel/services.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';

/** How late a run may be, in seconds: a late call would be pointless. */
const max_late_s = { text: 86_400, status: 86_400, reminder: 86_400, call: 600 } as const;
/** The maximum of retries after internal errors, which follow after 2, 4, 8… seconds. */
const max_attempts = 8;

/** The origin of a job's operations, since there is no request. */
const originOf = ({ user_id }: JobRow): Origin => ({
  ip: `job ${user_id}`,
  device: 'scheduled job',
  last_event_id: undefined,
  if_none_match: undefined,
  web_origin: undefined,
  accept_language: undefined,
});

/**
 * Runs a job if it is due and no other process runs it. Its effect is committed together with its new state, so that it
 * happens once, even if a node dies.
 * @returns whether this call ran it
 */
export async function runJob(services: Services, id: string): Promise<boolean> {
  try {
    return await inChange(services, async (change, checkpoint) => {
      const which = sql`j.id = ${id} and j.state = 'scheduled' and j.due_at <= ${change.now}`;
      const job = await lockJob(change.db, which, true);
      if (!job) return false;
      const { at, missed_at, next } = planRun(job, change.now);
      let current = missed_at ? await endRun(change, job, { at: missed_at, error: missed, next: at ?? next }) : job;
      if (at) {
        const undo = checkpoint();
        try {
          const is_over = await perform(change, current);
          if (!is_over) return true;
          current = await endRun(change, current, { at, next });
        } catch (error) {
          if (!(error instanceof ApiError) || error.status >= 500) throw error;
          await undo();
          current = await endRun(change, current, { at, error: explainFailure(error), next });
        }
      }
      if (current.next_run_at) wakeAt(change, current.next_run_at);
      return true;
    });
  } catch (error) {
    services.log.warn({ err: error, scheduled_job: id }, 'a scheduled job is retried');
    return postpone(services, id);
  }
}

type Plan = {
  /** The scheduled time to run for; undefined when none is due any more. */
  at: Date | undefined;
  /** The earliest scheduled time that is not too late. */
  missed_at: Date | undefined;
  next: Date | undefined;
};

/** Of several missed times only the latest is run, unless that is too late as well. */
export function planRun(job: JobRow, now: Date): Plan {
  const due = job.next_run_at ?? now;
  const oldest = after(now, -max_late_s[job.kind]);
  const missed_at = due <= oldest ? due : undefined;
  let at = missed_at ? nextRun(job, oldest) : due;
  for (let next = at && nextRun(job, at); next && next <= now; next = nextRun(job, at)) at = next;
  if (!at || at > now) return { at: undefined, missed_at, next: at };
  return { at, missed_at, next: nextRun(job, at) };
}

/**
 * Executes a job, with its owner's current permissions.
 * @returns false for a call, which finishes when it is answered or not
 */
async function perform(change: Change, job: JobRow): Promise<boolean> {
  const caller = (await selectJobCaller(change.db, job.user_id)) ?? fail('not_found');
  if (!caller.mobile_verified) fail('mobile_unverified');
  const consume: InProcessContext['consume'] = async (name, key, amount) =>
    void (await change.services.throttle.consume(name, key, amount));
  const by: InProcessContext = { caller, origin: originOf(job), consume, change };
  const { kind, target, body } = job;
  if (kind === 'reminder') {
    const subject = { type: 'scheduled_job' as const, id: job.id };
    await notify(change, {
      to: job.user_id,
      actor_id: job.user_id,
      kind: 'reminder',
      subject,
      source_id: change.id('out'),
    });
  } else if (kind === 'status') await postStatus(by, job);
  else if (kind === 'text' && target && body !== null) await sendText(by, target, body);
  else if (kind === 'call') {
    // The caller is not rung for somebody who has left, or whom a block separates from them since.
    await requireReachableTarget(change.db, change.services, job, { user_id: caller.user_id, now: change.now });
    await consume('call', caller.user_id);
    await ringCaller(change, caller, job);
    return false;
  }
  return true;
}

async function postStatus(by: InProcessContext, job: JobRow): Promise<void> {
  const { body, tag_id, visibility } = job;
  if (tag_id)
    await requireTagOwned(by.change.db, tag_id, job.user_id, () =>
      fail('not_found', { message: 'The tag no longer exists.' }),
    );
  await by.change.services.operations.call('POST', '/statuses', by, {
    body: { body, ...(tag_id ? { tag_id } : {}), ...(visibility ? { visibility } : {}) },
  });
}

/** Schedules a retry, and gives up eventually. */
async function postpone(services: Services, id: string): Promise<boolean> {
  return inChange(services, async (change) => {
    const job = await lockJob(change.db, sql`j.id = ${id} and j.state = 'scheduled'`, true);
    if (!job) return false;
    if (job.tries + 1 >= max_attempts) {
      const at = job.next_run_at ?? change.now;
      const ended = await endRun(change, job, {
        at,
        error: internal_failure,
        next: nextRun(job, change.now),
      });
      if (ended.next_run_at) wakeAt(change, ended.next_run_at);
      return true;
    }
    const due_at = after(change.now, 2 ** (job.tries + 1));
    await change.db.run(sql`update scheduled_jobs set tries = tries + 1, due_at = ${due_at} where id = ${id}`);
    wakeAt(change, due_at);
    return true;
  });
}
