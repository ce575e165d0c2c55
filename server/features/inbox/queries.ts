import { type InboxRow, maySeeMessage, selectInbox } from '../../domain/inbox/inbox.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';

/** The inbox messages of a person, newest first; all, those of a kind, or unread ones. */
export function selectMessages(
  db: Queryable,
  viewer_id: string,
  { kind, unread, ...page }: Page & { kind?: string; unread?: boolean },
): Promise<InboxRow[]> {
  const of_kind = kind === undefined ? sql`` : sql`and m.kind = ${kind}`;
  const is_unread = unread ? sql`and m.read_at is null` : sql``;
  return selectInbox(db, sql`${maySeeMessage(viewer_id)} ${of_kind} ${is_unread} ${pageOf(page, 'm.id')}`);
}

/** A message of the inbox that the viewer may see. */
export async function selectMessage(db: Queryable, id: string, viewer_id: string): Promise<InboxRow | undefined> {
  return (await selectInbox(db, sql`m.id = ${id} and ${maySeeMessage(viewer_id)}`))[0];
}

/** How many unread messages an inbox has. */
export function countUnread(db: Queryable, viewer_id: string): Promise<{ count: number }> {
  return db.one<{ count: number }>(
    sql`select count(*)::int as count from inbox_messages m where ${maySeeMessage(viewer_id)} and m.read_at is null`,
  );
}

/** Marks a message as read or unread. @returns whether it was not already */
export async function setRead(
  { db, now }: Pick<Change, 'db' | 'now'>,
  id: string,
  viewer_id: string,
  is_read: boolean,
): Promise<boolean> {
  const moved = await db.run(sql`
    update inbox_messages m set read_at = ${is_read ? now : null}::timestamptz
    where m.id = ${id} and ${maySeeMessage(viewer_id)} and (m.read_at is not null) <> ${is_read}::boolean`);
  return moved > 0;
}

/** Deletes a message. @returns whether it was the person's */
export async function removeMessage(db: Queryable, id: string, viewer_id: string): Promise<boolean> {
  return (await db.run(sql`delete from inbox_messages m where m.id = ${id} and ${maySeeMessage(viewer_id)}`)) > 0;
}
