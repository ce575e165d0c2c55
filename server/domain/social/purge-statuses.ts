import { sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { detachFiles } from '../files/files.ts';
import { clearNotifications } from '../notifications/clear-notifications.ts';

/** The number of replies, and of likes, per transaction: a status may have any number of them. */
const portion = 500;

/**
 * Deletes statuses with their replies, likes, files and notifications, as far as one transaction goes: a status stays
 * until the last of its replies and likes.
 * @returns whether there are more
 */
export async function purgeStatuses(change: Change, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { db, now } = change;
  // A transaction that replies to one, or attaches files to it, locks its row: dependents are read after it has
  // committed.
  await db.run(sql`select 1 from statuses where id = any(${ids}::text[]) order by id for update`);
  const replies = await db.many<{ id: string }>(sql`
    delete from replies where id = any(array(
      select id from replies where status_id = any(${ids}::text[]) order by id limit ${portion}::int)) returning id`);
  const likes = await db.many<{ id: string }>(sql`
    delete from status_likes l using (
      select status_id, user_id from status_likes where status_id = any(${ids}::text[]) limit ${portion}::int) one
    where l.status_id = one.status_id and l.user_id = one.user_id returning l.id`);
  await detachFiles(db, ids, now);
  await db.run(sql`
    delete from statuses s where s.id = any(${ids}::text[])
      and not exists (select 1 from replies r where r.status_id = s.id)
      and not exists (select 1 from status_likes l where l.status_id = s.id)`);
  await clearNotifications(change, [...ids, ...[...replies, ...likes].map(({ id }) => id)]);
  return replies.length === portion || likes.length === portion;
}
