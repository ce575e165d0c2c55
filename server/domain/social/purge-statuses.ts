import { sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { detachFiles } from '../files/files.ts';
import { clearNotifications } from '../notifications/clear-notifications.ts';

/** Deletes statuses with their replies, files and notifications. */
export async function purgeStatuses(change: Change, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, now } = change;
  // A transaction that replies to one, or attaches files to it, locks its row: dependents are read after it has
  // committed.
  await db.run(sql`select 1 from statuses where id = any(${ids}::text[]) order by id for update`);
  const replies = await db.many<{ id: string }>(sql`select id from replies where status_id = any(${ids}::text[])`);
  await detachFiles(db, ids, now);
  await db.run(sql`delete from statuses where id = any(${ids}::text[])`);
  await clearNotifications(change, [...ids, ...replies.map(({ id }) => id)]);
}
