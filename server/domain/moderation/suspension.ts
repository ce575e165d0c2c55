/** The suspension of an account by an operator, and its end. */
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Services } from '../../kernel/services.ts';
import { resumePlansOf, suspendPlansOf } from '../billing/plans.ts';
import { endCallsOf } from '../calls/leave-calls.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import { endGuestsOf } from '../widgets/widgets.ts';
import { barReplay } from './hidden-streams.ts';
import { ModerationError, recordAct, requireUser, type ModerationReason } from './moderation-acts.ts';
import { hideNotificationsAbout } from './notifications-about.ts';

/**
 * Suspends an account: its sessions, sockets and calls, also those in its rooms, end, and everything of it is hidden from others.
 * @throws ModerationError
 */
export function suspendUser(services: Services, user: string, motive: ModerationReason): Promise<void> {
  return inChange(services, async (change) => {
    const { db, now } = change;
    const id = await requireUser(db, user);
    const moved = await db.run(
      sql`update users set suspended_at = ${now} where id = ${id} and deleted_at is null and suspended_at is null`,
    );
    if (moved === 0) throw new ModerationError(`The account ${user} is suspended already.`);
    await endCallsOf(change, id);
    await revokeSessions(change, id);
    await endGuestsOf(change, sql`w.owner_id = ${id}`);
    await suspendPlansOf(change, id);
    await barReplay(change, { type: 'user', id });
    await hideNotificationsAbout(change, { type: 'user', id });
    change.enqueue(hideReplies, { user_id: id });
    await recordAct(change, { act: 'suspend', type: 'user', id }, motive);
  });
}

/** Ends a suspension: everything hidden by it is visible again; the person signs in again. @throws ModerationError */
export function restoreUser(services: Services, user: string, motive: ModerationReason): Promise<void> {
  return inChange(services, async (change) => {
    const id = await requireUser(change.db, user);
    const moved = await change.db.run(
      sql`update users set suspended_at = null where id = ${id} and suspended_at is not null`,
    );
    if (moved === 0) throw new ModerationError(`The account ${user} is not suspended.`);
    await resumePlansOf(change, id);
    await hideNotificationsAbout(change, { type: 'user', id });
    change.enqueue(hideReplies, { user_id: id });
    await recordAct(change, { act: 'restore', type: 'user', id }, motive);
  });
}

/** The number of replies per transaction: an account may have any number of them. */
const portion = 500;

/** Removes a user's replies from reply counts while they are suspended, and adds them again afterwards. */
export const hideReplies = job<{ user_id: string }>({
  name: 'moderation.hide-replies',
  max_attempts: 20,
  async run({ user_id }, services) {
    await inChange(services, async (change) => {
      const moved = await change.db.run(sql`
        update replies set author_suspended = not author_suspended where id = any(array(
          select r.id from replies r join users u on u.id = r.author_id
          where r.author_id = ${user_id} and r.author_suspended <> (u.suspended_at is not null)
          order by r.status_id limit ${portion}))`);
      if (moved === portion) change.enqueue(hideReplies, { user_id });
    });
  },
});
