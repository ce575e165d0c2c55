/** Hides notifications about hidden content, suspended or muted people, and restores them. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { hasMuted } from '../visibility/mutes.ts';
import { mute_exempt_kinds } from './notification-kinds.ts';
import { updateHidden, emitCleared } from './clear-notifications.ts';

/**
 * Whether act `a` is hidden: its actor is suspended or muted, it is in a group whose owner is suspended, or an operator
 * has hidden its content or the content around it.
 */
const isHidden = sql`(
  exists (select 1 from users u where u.id = a.actor_id and u.suspended_at is not null)
  or (${hasMuted(sql`a.user_id`, sql`a.actor_id`)} and not exists (
    select 1 from notifications n where n.id = a.notification_id and n.kind = any(${[...mute_exempt_kinds]}::text[])))
  or exists (select 1 from notifications n join groups g on g.id = n.subject_id join users o on o.id = g.owner_id
    where n.id = a.notification_id and n.kind = 'group_mention' and o.id <> a.user_id and o.suspended_at is not null)
  or exists (select 1 from statuses s left join tags t on t.id = s.tag_id
    where s.id = a.source_id and (s.hidden_at is not null or t.hidden_at is not null))
  or exists (select 1 from replies r join statuses s on s.id = r.status_id left join tags t on t.id = s.tag_id
    where r.id = a.source_id and (r.hidden_at is not null or s.hidden_at is not null or t.hidden_at is not null))
  or exists (select 1 from comments c join tags t on t.id = c.tag_id
    where c.id = a.source_id and (c.hidden_at is not null or t.hidden_at is not null))
  or exists (select 1 from follows f join tags t on t.id = f.tag_id
    where f.id = a.source_id and t.hidden_at is not null and t.owner_id <> a.user_id))`;

/**
 * Hides or restores the notifications of some acts, after a person or some content was hidden or restored.
 * @param limit how many acts at most; null for all
 * @returns whether there may be more
 */
export async function hideNotifications(change: Change, which: Sql, limit: number | null): Promise<boolean> {
  // Locked before they are compared, since another change may hide them at the same time.
  const touched = await change.db.many<{ notification_id: string }>(sql`
    update notification_acts hidden_act set hidden = not hidden_act.hidden from (
      select a.source_id, a.user_id from notification_acts a where ${which} and a.hidden <> ${isHidden}
      limit ${limit}::int for update of a) one
    where hidden_act.source_id = one.source_id and hidden_act.user_id = one.user_id
    returning hidden_act.notification_id`);
  emitCleared(change, await updateHidden(change, [...new Set(touched.map((one) => one.notification_id))]));
  return touched.length === limit;
}
