import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { hideNotifications } from '../../domain/notifications/hidden-notifications.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import type { MuteRow } from './schemas.ts';

/** The people whom somebody has muted, newest first. */
export function selectMutes(db: Queryable, user_id: string, page: Page): Promise<MuteRow[]> {
  return db.many<MuteRow>(sql`
    select m.id, ${publicUserJson('u')} as user, m.created_at from mutes m join users u on u.id = m.muted_id
    where m.user_id = ${user_id} and ${maySeeUser(user_id)} ${pageOf(page, 'm.id')}`);
}

/** A person whom a viewer may see, and therefore mute. */
export function selectMutable(
  db: Queryable,
  user_id: string,
  viewer_id: string,
): Promise<{ user: PublicUserRow } | undefined> {
  return db.maybe<{ user: PublicUserRow }>(
    sql`select ${publicUserJson('u')} as user from users u where u.id = ${user_id} and ${maySeeUser(viewer_id)}`,
  );
}

/** Inserts a mute, or finds the existing one, which has another identifier. */
export function insertMute(
  db: Queryable,
  mute: { id: string; user_id: string; muted_id: string; created_at: Date },
): Promise<{ id: string; created_at: Date }> {
  return db.one<{ id: string; created_at: Date }>(sql`
    insert into mutes (id, user_id, muted_id, created_at)
    values (${mute.id}, ${mute.user_id}, ${mute.muted_id}, ${mute.created_at})
    on conflict (user_id, muted_id) do update set user_id = excluded.user_id returning id, created_at`);
}

/** Deletes a mute. @returns whether there was one */
export async function deleteMute(db: Queryable, user_id: string, muted_id: string): Promise<boolean> {
  return (await db.run(sql`delete from mutes where user_id = ${user_id} and muted_id = ${muted_id}`)) > 0;
}

/** Hides the notifications of what a muted person has done, or shows them again after the mute. */
export async function updateHiddenNotifications(change: Change, user_id: string, muted_id: string): Promise<void> {
  await hideNotifications(change, sql`a.user_id = ${user_id} and a.actor_id = ${muted_id}`, null);
}
