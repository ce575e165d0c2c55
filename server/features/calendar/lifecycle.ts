import { recordChanges } from '../../domain/calendar/changes.ts';
import type { CalendarEntry } from '../../domain/calendar/events.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Change, Lifecycle } from '../../kernel/services.ts';
import { emitAllChanged, emitGone } from './events.ts';
import { oldestTombstone } from './rules/cursors.ts';

/** The calendar's part in account deletion, blocks and maintenance. */
export const calendarLifecycle: Lifecycle = {
  async accountDeleted(change, user_id) {
    const { db, now } = change;
    await db.run(sql`
      update public_links set revoked_at = ${now}, sealed = null
      where owner_id = ${user_id} and kind in ('event', 'feed') and revoked_at is null`);
  },

  async purgeAccount(change, user_id, portion) {
    const { db } = change;
    // An event is deleted once its guests know.
    if (await removeGuests(change, user_id, portion)) return true;
    const events = await db.run(sql`
      delete from calendar_events where id = any(array(
        select id from calendar_events where owner_id = ${user_id} order by id limit ${portion}))`);
    const changes = await db.run(sql`
      delete from calendar_changes where user_id = ${user_id} and event_id = any(array(
        select event_id from calendar_changes where user_id = ${user_id} order by event_id limit ${portion}))`);
    await db.run(sql`delete from calendar_acks where user_id = ${user_id}`);
    await db.run(sql`delete from calendar_users where user_id = ${user_id}`);
    return [events, changes].some((count) => count >= portion);
  },

  async blocked(change, blocker_id, blocked_id) {
    const gone = await change.db.many<CalendarEntry & { owner_id: string }>(sql`
      delete from calendar_guests c using calendar_events e
      where e.id = c.event_id and ((e.owner_id = ${blocker_id} and c.user_id = ${blocked_id})
        or (e.owner_id = ${blocked_id} and c.user_id = ${blocker_id}))
      returning c.user_id, c.event_id, e.owner_id`);
    await emitGone(
      change,
      gone.map(({ user_id, event_id }) => ({ user_id, event_id })),
    );
    for (const owner_id of [blocker_id, blocked_id]) {
      const theirs = gone.filter((one) => one.owner_id === owner_id).map(({ event_id }) => event_id);
      if (theirs.length > 0) await emitAllChanged(change, theirs, owner_id);
    }
  },

  async expire({ db, now }, portion) {
    const forgotten = await db.run(sql`
      with old as (
        select user_id, event_id, seq from calendar_changes where deleted_at < ${oldestTombstone(now)}
        order by deleted_at limit ${portion}),
      marked as (
        update calendar_users c set forgotten_seq = greatest(c.forgotten_seq, o.seq)
        from (select user_id, max(seq) as seq from old group by user_id) o where c.user_id = o.user_id)
      delete from calendar_changes h using old where h.user_id = old.user_id and h.event_id = old.event_id and h.seq = old.seq`);
    return forgotten >= portion;
  },
};

/**
 * Removes the guests of the events of a deleted account, and the account from the events of others: an account may have
 * half a million of such rows. Until then nobody sees its events.
 * @returns whether there are more
 */
async function removeGuests(change: Change, user_id: string, portion: number): Promise<boolean> {
  const { db, now } = change;
  const gone = await db.many<CalendarEntry>(sql`
    delete from calendar_guests c using (
      select g.event_id, g.user_id from calendar_events e join calendar_guests g on g.event_id = e.id
      where e.owner_id = ${user_id} limit ${portion}::int) one
    where c.event_id = one.event_id and c.user_id = one.user_id returning c.user_id, c.event_id`);
  await emitGone(change, gone);
  // Owners are informed at their next sync that a guest was removed.
  const left = await db.many<CalendarEntry>(sql`
    delete from calendar_guests c using (
      select g.event_id, g.user_id, e.owner_id from calendar_guests g join calendar_events e on e.id = g.event_id
      where g.user_id = ${user_id} limit ${portion}::int) one
    where c.event_id = one.event_id and c.user_id = one.user_id returning one.owner_id as user_id, c.event_id`);
  await recordChanges(
    db,
    left.map((entry) => ({ ...entry, is_deleted: false })),
    now,
  );
  return [gone, left].some(({ length }) => length >= portion);
}
