/** The notifications about a person or some content, which are hidden with it and restored with it. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change } from '../../kernel/services.ts';
import { hideNotifications } from '../notifications/hidden-notifications.ts';

/** A type of content that operators can hide. */
export type HideableType = 'tag' | 'status' | 'reply' | 'comment';

/** The acts whose notifications are about some content or anything that it contains. */
const sourcesOf: Record<HideableType, (id: string) => Sql> = {
  tag: (id) => sql`
    select s.id from statuses s where s.stream_id = ${id}
    union all select r.id from replies r join statuses s on s.id = r.status_id where s.stream_id = ${id}
    union all select c.id from comments c where c.tag_id = ${id}
    union all select f.id from follows f where f.tag_id = ${id}`,
  status: (id) => sql`select ${id} union all select r.id from replies r where r.status_id = ${id}`,
  reply: (id) => sql`select ${id}`,
  comment: (id) => sql`select ${id}`,
};

/** The acts of a person, and the mentions in their groups, which nobody else may open while they are suspended. */
const notifiedOf = (user_id: string): Sql => sql`(a.actor_id = ${user_id} or a.notification_id in (
  select n.id from groups g join notifications n on n.subject_type = 'group' and n.subject_id = g.id
  where g.owner_id = ${user_id} and g.deleted_at is null and n.kind = 'group_mention'))`;

/** The number of notifications per transaction: an account or a tag may have any number of them. */
const portion = 500;

type Target = { type: HideableType | 'user'; id: string };

/** Hides the notifications about a person or some content, or restores them; those beyond a portion in a job. */
export async function hideNotificationsAbout(change: Change, { type, id }: Target): Promise<void> {
  const which = type === 'user' ? notifiedOf(id) : sql`a.source_id in (${sourcesOf[type](id)})`;
  if (await hideNotifications(change, which, portion)) change.enqueue(hideFurtherNotifications, { type, id });
}

/** Continues `hideNotificationsAbout`. */
export const hideFurtherNotifications = job<Target>({
  name: 'moderation.hide-notifications',
  max_attempts: 20,
  run: (target, services) => inChange(services, (change) => hideNotificationsAbout(change, target)),
});
