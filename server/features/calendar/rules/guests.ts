/** Guests of events: sharing and unsharing. */
import { removeUnentitledFromEvent } from '../../../domain/calls/leave-places.ts';
import { clearEventNotifications } from '../../../domain/notifications/clear-notifications.ts';
import { lockPairs } from '../../../domain/visibility/pairs.ts';
import { maySeeUser, mayReach } from '../../../domain/visibility/people.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { invalid } from '../../../kernel/errors.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import type { Change } from '../../../kernel/services.ts';
import { emitGone } from '../events.ts';

/** The guests of an event, including those whom its owner cannot see at the moment. */
export async function selectGuests(db: Queryable, event_id: string): Promise<string[]> {
  const rows = await db.many<{ user_id: string }>(
    sql`select user_id from calendar_guests where event_id = ${event_id} order by created_at, user_id`,
  );
  return rows.map(({ user_id }) => user_id);
}

/**
 * Shares an event with people. People who do not exist, are in a block with the owner, do not allow the owner to add
 * them, or have reached their limit are refused with the same message.
 * @throws ApiError `validation_failed` that names `people`
 */
export async function addGuests(change: Change, event_id: string, owner_id: string, user_ids: string[]): Promise<void> {
  if (user_ids.length === 0) return;
  const { db, now } = change;
  await lockPairs(db, owner_id, user_ids);
  const made = await db.run(sql`
    insert into calendar_guests (event_id, user_id, created_at)
    select ${event_id}, u.id, ${now}::timestamptz from users u
    where u.id = any(${user_ids}::text[]) and ${maySeeUser(owner_id)} and ${mayReach(owner_id, 'add')}
      and (select count(*) from calendar_guests c where c.user_id = u.id) < ${default_limits.shared_events}::int`);
  if (made < user_ids.length) invalid({ people: 'includes someone who cannot be invited' });
}

/** Unshares an event, clears its notifications, and removes those who were not called from its call. */
export async function removeGuests(change: Change, event_id: string, user_ids: string[]): Promise<void> {
  if (user_ids.length === 0) return;
  await change.db.run(
    sql`delete from calendar_guests where event_id = ${event_id} and user_id = any(${user_ids}::text[])`,
  );
  await removeUnentitledFromEvent(change, event_id);
  await clearEventNotifications(change, event_id, user_ids);
  await emitGone(
    change,
    user_ids.map((user_id) => ({ user_id, event_id })),
  );
}
