import { notification_columns, type NotificationRow } from '../../domain/notifications/notifications.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** The notifications of a person, newest first; all, or unread ones. */
export function selectNotifications(
  db: Queryable,
  user_id: string,
  { unread, ...page }: Page & { unread?: boolean },
): Promise<NotificationRow[]> {
  const is_unread = unread ? sql`and n.read_at is null` : sql``;
  return db.many<NotificationRow>(sql`
    select ${notification_columns} from notifications n
    where n.user_id = ${user_id} and not n.hidden ${is_unread} ${pageOf(page, 'n.id')}`);
}

/** How many unread notifications an account has. */
export function countUnread(db: Queryable, user_id: string): Promise<{ count: number }> {
  return db.one<{ count: number }>(sql`
    select count(*)::int as count from notifications where user_id = ${user_id} and read_at is null and not hidden`);
}

/**
 * Marks a notification as read, or as unread without a time. One that is unread again may exist beside a newer one of the
 * same group.
 */
export async function markRead(
  db: Queryable,
  id: string,
  user_id: string,
  read_at: Date | null,
): Promise<NotificationRow | undefined> {
  const is_read = read_at !== null;
  const touched = await db.run(sql`
    update notifications set read_at = case when ${is_read}::boolean then coalesce(read_at, ${read_at}::timestamptz) end,
      reopened = reopened or (read_at is not null and not ${is_read}::boolean)
    where id = ${id} and user_id = ${user_id} and not hidden`);
  if (touched === 0) return undefined;
  return db.maybe<NotificationRow>(sql`select ${notification_columns} from notifications n where n.id = ${id}`);
}

/** Marks all notifications as read, up to the given one. @returns how many there were */
export function markAllRead(db: Queryable, user_id: string, up_to_id: string | undefined, now: Date): Promise<number> {
  const until = up_to_id === undefined ? sql`` : sql`and id <= ${up_to_id}`;
  return db.run(sql`
    update notifications set read_at = ${now} where user_id = ${user_id} and read_at is null and not hidden ${until}`);
}

/** Deletes a notification. @returns whether it was the person's */
export async function removeNotification(db: Queryable, id: string, user_id: string): Promise<boolean> {
  return (await db.run(sql`delete from notifications where id = ${id} and user_id = ${user_id} and not hidden`)) > 0;
}
