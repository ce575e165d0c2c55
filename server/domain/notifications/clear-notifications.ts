/** Clearing notifications: when their cause is undone, and hiding those with nothing left to show. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';

export const notificationsCleared = event(
  'notification.cleared',
  'Notifications were withdrawn, or deleted on another device.',
  object({ ids: Type.Array(idOf('note'), { maxItems: default_limits.event_ids }) }),
);

/** Clears the notifications of acts that were undone, by the identifiers of the acts. */
export async function clearNotifications(change: Change, source_ids: string[]): Promise<void> {
  if (source_ids.length === 0) return;
  await clear(change, sql`a.source_id = any(${source_ids}::text[])`);
}

/** Clears the notifications of an act for all except some people: for those whom an edited text no longer mentions. */
export async function clearNotificationsExcept(change: Change, source_id: string, kept: string[]): Promise<void> {
  await clear(change, sql`a.source_id = ${source_id} and a.user_id <> all(${kept}::text[])`);
}

/** Clears notifications of replies to a status for the people whom a condition on `notification_acts a` selects. */
export async function clearReplyNotifications(change: Change, status_id: string, whose: Sql): Promise<void> {
  await clear(change, sql`a.source_id in (select r.id from replies r where r.status_id = ${status_id}) and ${whose}`);
}

/** Clears the notifications of a calendar event, for all or some people. */
export async function clearEventNotifications(change: Change, event_id: string, user_ids?: string[]): Promise<void> {
  const of = sql`n.subject_id = ${event_id} and (${!user_ids}::boolean or n.user_id = any(${user_ids ?? []}::text[]))`;
  await clear(
    change,
    sql`a.notification_id in (select n.id from notifications n where n.subject_type = 'event' and ${of})`,
  );
}

/** Clears the notifications of mentions in groups for those who are no longer in them. */
export async function clearGroupMentions(change: Change, left: { group_id: string; user_id: string }[]): Promise<void> {
  if (left.length === 0) return;
  const [groups, people] = [left.map(({ group_id }) => group_id), left.map(({ user_id }) => user_id)];
  await clear(
    change,
    sql`a.notification_id in (
      select n.id from unnest(${groups}::text[], ${people}::text[]) as gone (group_id, user_id)
        join notifications n on n.subject_type = 'group' and n.subject_id = gone.group_id and n.user_id = gone.user_id
      where n.kind = 'group_mention')`,
  );
}

/** Clears all notifications of two people about each other. */
export async function clearBetween(change: Change, one_id: string, other_id: string): Promise<void> {
  await clear(
    change,
    sql`(a.user_id = ${one_id} and a.actor_id = ${other_id}) or (a.user_id = ${other_id} and a.actor_id = ${one_id})`,
  );
}

/** Deletes acts, and the notifications that have no others. */
async function clear(change: Change, which: Sql): Promise<void> {
  const touched = await change.db.many<{ notification_id: string }>(sql`
    delete from notification_acts a where ${which} returning notification_id`);
  const ids = [...new Set(touched.map(({ notification_id }) => notification_id))];
  if (ids.length === 0) return;
  // A transaction that adds another act to one of them locks its row: acts are read after it has committed.
  await change.db.run(sql`select 1 from notifications where id = any(${ids}::text[]) order by id for update`);
  const gone = await change.db.many<{ id: string; user_id: string }>(sql`
    delete from notifications n where n.id = any(${ids}::text[])
      and not exists (select 1 from notification_acts a where a.notification_id = n.id)
    returning id, user_id`);
  const emptied = await updateHidden(change, ids);
  emitCleared(change, [...gone, ...emptied]);
}

const { event_ids } = default_limits;

/** Notifies recipients that notifications were cleared. */
export function emitCleared(change: Change, gone: { id: string; user_id: string }[]): void {
  for (const [user_id, cleared] of Map.groupBy(gone, (row) => row.user_id))
    for (let at = 0; at < cleared.length; at += event_ids)
      change.emit(notificationsCleared, [`user:${user_id}`], {
        ids: cleared.slice(at, at + event_ids).map(({ id }) => id),
      });
}

/**
 * Hides notifications with nothing left to show, and restores those that have something again.
 * @returns those that it hid
 */
export async function updateHidden(change: Change, ids: string[]): Promise<{ id: string; user_id: string }[]> {
  const moved = await change.db.many<{ id: string; user_id: string; hidden: boolean }>(sql`
    update notifications n set hidden = not n.hidden
    where n.id = any(${ids}::text[]) and n.hidden = exists (
      select 1 from notification_acts a where a.notification_id = n.id and not a.hidden)
    returning n.id, n.user_id, n.hidden`);
  return moved.filter(({ hidden }) => hidden);
}
