/** Scheduled calls: the caller's own devices ring first, and the target once the caller has answered. */
import { sql } from '../../../kernel/database/database.ts';
import { ApiError, fail } from '../../../kernel/errors.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import { terms } from '../../../domain/calls/state/call-machine.ts';
import { isIn } from '../../../domain/calls/state/transition.ts';
import { endCall } from '../../../domain/calls/hang-up.ts';
import { selectCall } from '../../../domain/calls/state/calls.ts';
import { call_scheduled_target } from '../../../domain/calls/call-jobs.ts';
import { requireCallees, type Inviter } from '../../../domain/calls/start/callees.ts';
import { inviteMore, createCall } from '../../../domain/calls/start/start-call.ts';
import { explainFailure, unanswered } from '../../../domain/scheduling/failures.ts';
import { emitUpdated, endRun, lockJob, nextRun, type JobRow } from './scheduled-jobs.ts';
import { selectJobCaller, wakeAt } from './wake.ts';

/** How long after the end of the ring it is checked, in seconds, so that a last-moment answer counts. */
const grace_s = 2;

/**
 * Rings the caller's own devices for a due job.
 * @returns the call's identifier
 * @throws ApiError `call_in_progress`
 */
export async function ringCaller(change: Change, caller: Inviter, planned: JobRow): Promise<string> {
  const { db, now } = change;
  const engaged = await db.run(sql`
    select 1 from call_participants where user_id = ${caller.user_id} and state in ('joining', 'joined')`);
  if (engaged > 0) fail('call_in_progress');
  const call = await createCall(change, caller, { callees: [], host_rings: true });
  await db.run(sql`
    update scheduled_jobs set state = 'running', due_at = null, tries = 0, call_id = ${call.id} where id = ${planned.id}`);
  await emitUpdated(change, { ...planned, state: 'running', tries: 0, call_id: call.id });
  const run_at = after(now, terms.ring_s + grace_s);
  change.enqueue(endUnanswered, { call_id: call.id }, { run_at, key: `scheduled-ring:${call.id}` });
  return call.id;
}

/** Calls the target after the caller has answered. */
export const callScheduledTarget = job<{ call_id: string }>({
  ...call_scheduled_target,
  async run({ call_id }, services) {
    await inChange(services, async (change, checkpoint) => {
      const planned = await lockJob(change.db, sql`j.call_id = ${call_id} and j.state = 'running'`);
      const target = planned?.target;
      if (!planned || !target) return;
      const caller = await selectJobCaller(change.db, planned.user_id);
      const undo = checkpoint();
      try {
        if (!caller) fail('not_found');
        const { callees } = await requireCallees(change, [target], caller.user_id);
        await inviteMore(change, caller, callees);
        await end(change, planned);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        await undo();
        await end(change, planned, explainFailure(error));
      }
    });
  },
});

/** Ends the call of a job whose caller has not answered: the target is never notified. */
export const endUnanswered = job<{ call_id: string }>({
  name: 'scheduled-jobs.end-unanswered',
  max_attempts: 10,
  async run({ call_id }, services) {
    await inChange(services, async (change) => {
      const planned = await lockJob(change.db, sql`j.call_id = ${call_id} and j.state = 'running'`);
      if (!planned) return;
      const call = await selectCall(change.db, sql`c.id = ${call_id}`);
      // A caller who has answered is handled by the other job.
      if (
        call &&
        call.state !== 'ended' &&
        call.participants.some((one) => one.user_id === planned.user_id && isIn(one))
      )
        return change.enqueue(callScheduledTarget, { call_id }, { key: `scheduled-call:${call_id}` });
      if (call && call.state !== 'ended') await endCall(change, call_id, 'hung_up');
      await end(change, planned, unanswered);
    });
  },
});

async function end(change: Change, planned: JobRow, error?: string): Promise<void> {
  const at = planned.next_run_at ?? change.now;
  const next = nextRun(planned, change.now);
  await endRun(change, planned, { at, error, next });
  if (next) wakeAt(change, next);
}
