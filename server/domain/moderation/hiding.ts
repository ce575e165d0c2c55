/** What becomes hidden, and visible again, by rows: in portions, of which the first is part of the act of moderation. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change } from '../../kernel/services.ts';
import { hideNotifications } from '../notifications/hidden-notifications.ts';

/** The number of replies, notifications and events per transaction: an account or a tag may have any number of them. */
const portion = 500;

/** The tables of the content that operators can hide. */
export const hideable_tables = { tag: 'tags', status: 'statuses', reply: 'replies', comment: 'comments' } as const;

/** A type of content that operators can hide. */
export type HideableType = keyof typeof hideable_tables;
/** The types of content that operators can hide. */
export const hideable_types = Object.keys(hideable_tables) as HideableType[];

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

/** The streams of a person or a tag, as long as they are hidden. */
const streamsOf: Record<Hidden['type'], (id: string) => Sql> = {
  tag: (id) => sql`select t.id from tags t where t.id = ${id} and t.hidden_at is not null`,
  user: (id) => sql`
    with person as (select u.id from users u where u.id = ${id} and u.suspended_at is not null)
    select id from person union all select t.id from person join tags t on t.owner_id = person.id`,
};

type Hidden = { type: 'tag' | 'user'; id: string };

/**
 * Deletes the stored events of hidden streams, so that they are not replayed; their content is fetched again later. Those beyond a
 * portion follow in a job: what they contain is blanked meanwhile (`visibility/replay.ts`).
 */
export async function barReplay(change: Change, { type, id }: Hidden): Promise<void> {
  const gone = await change.db.run(sql`
    delete from events where ctid = any(array(
      select e.ctid from (${streamsOf[type](id)}) as stream (id) join events e on e.topic = 'stream:' || stream.id
      limit ${portion}))`);
  if (gone === portion) change.enqueue(barFurtherReplay, { type, id });
}

/** Continues `barReplay`. */
export const barFurtherReplay = job<Hidden>({
  name: 'moderation.bar-replay',
  max_attempts: 20,
  run: (hidden, services) => inChange(services, (change) => barReplay(change, hidden)),
});

/** The acts of a person, and the mentions in their groups, which nobody else may open while they are suspended. */
const notifiedOf = (user_id: string): Sql => sql`(a.actor_id = ${user_id} or a.notification_id in (
  select n.id from groups g join notifications n on n.subject_type = 'group' and n.subject_id = g.id
  where g.owner_id = ${user_id} and g.deleted_at is null and n.kind = 'group_mention'))`;

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

/** Removes a user's replies from reply counts while they are suspended, and adds them again afterwards. */
export const hideReplies = job<{ user_id: string }>({
  name: 'moderation.hide-replies',
  max_attempts: 20,
  async run({ user_id }, services) {
    await inChange(services, async (change) => {
      const moved = await change.db.run(sql`
        update replies set author_suspended = not author_suspended where id = any(array(
          select r.id from replies r join users u on u.id = r.author_id
          where r.author_id = ${user_id} and r.author_suspended <> (u.suspended_at is not null)
          order by r.status_id limit ${portion}))`);
      if (moved === portion) change.enqueue(hideReplies, { user_id });
    });
  },
});
