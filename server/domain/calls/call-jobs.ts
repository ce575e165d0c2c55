/** Effects of a call outside the database: at the media server, and at the carrier of a phone. */
import { sql } from '../../kernel/database/database.ts';
import { job, type Job } from '../../kernel/job.ts';
import type { JobName } from '../../kernel/job-queue.ts';
import type { Change } from '../../kernel/services.ts';

/** Calls the target of a scheduled call, whose host has answered; it is implemented in the area of scheduled jobs. */
export const call_scheduled_target = {
  name: 'scheduled-jobs.call-target',
  max_attempts: 10,
} as const satisfies JobName;

/** Closes a room for everybody, and its dial-in. */
export const closeRoom = job<{ room: string }>({
  name: 'calls.close-room',
  max_attempts: 10,
  lane: 'calls',
  async run({ room }, services) {
    await services.media.closeRoom(room);
    await services.telephony.dial_in_route?.close(room);
  },
});

/**
 * Removes a participant from a room, unless they have rejoined: with a newer grant than those that were revoked, or by
 * another leg of their phone.
 */
export const removeFromRoom = job<{ room: string; identity: string; generation: number }>({
  name: 'calls.remove',
  max_attempts: 10,
  lane: 'calls',
  async run({ room, identity, generation }, services) {
    const came_back = await services.db.run(sql`
      select 1 from call_participants p
      where p.call_id = ${room} and (
        ((p.user_id = ${identity} or (p.id = ${identity} and p.guest_id is not null)) and p.admitted_generation >= ${generation})
        or (p.id = ${identity} and p.guest_id is null and p.state in ('ringing', 'joining', 'joined') and exists (
          select 1 from call_legs l where l.id = p.leg_id and l.state in ('queued', 'ringing', 'answered'))))`);
    if (came_back === 0) await services.media.remove(room, identity);
  },
});

/**
 * Enqueues a job and also runs it right after the commit: the queue may take a second to start it, which is too long
 * for a participant who must no longer hear the call. If that attempt fails, or this process ends, the job does it.
 */
export function runAfterCommit<P>(change: AtOnce, work: Job<P>, payload: P, key: string): void {
  change.enqueue(work, payload, { key });
  change.afterCommit(() => {
    work.run(payload, change.services).catch((error: unknown) => {
      change.services.log.warn({ err: error, job: work.name }, 'a job is returned to the queue');
    });
  });
}

type AtOnce = Pick<Change, 'enqueue' | 'afterCommit' | 'services'>;

/** Hangs up a phone's leg at its carrier. */
export const hangUp = job<{ leg_id: string }>({
  name: 'calls.hang-up',
  max_attempts: 10,
  lane: 'calls',
  async run({ leg_id }, services) {
    const leg = await services.db.maybe<{ carrier_id: string | null }>(
      sql`select carrier_id from call_legs where id = ${leg_id}`,
    );
    if (leg) await services.telephony.hangUp(leg_id, leg.carrier_id);
  },
});
