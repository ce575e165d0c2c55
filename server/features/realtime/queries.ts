import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { lockPresence } from '../../domain/accounts/presence.ts';
import { followEachOther, maySeeUser } from '../../domain/visibility/people.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { isId } from '../../kernel/id.ts';
import type { Page } from '../../kernel/page.ts';
import { default_limit } from '../../kernel/page.ts';

/** The maximum of people notified of a user's presence. */
const max_observers = 500;

/**
 * Records that a node has a connection of a user, or of a guest of a call; guests of widgets have no presence.
 * @returns whether they were offline until now. Concurrent updates by several nodes are serialised.
 */
export async function insertPresence(db: Queryable, person_id: string, node_id: string, now: Date): Promise<boolean> {
  await lockPresence(db, person_id);
  const person = isId('gst', person_id)
    ? sql`select null::text, id, ${node_id}, ${now}::timestamptz, ${now}::timestamptz
        from guests where id = ${person_id} and call_id is not null`
    : sql`values (${person_id}, null, ${node_id}, ${now}::timestamptz, ${now}::timestamptz)`;
  const row = await db.one<{ absent: boolean }>(sql`
    with noted as (
      insert into presence (user_id, guest_id, node_id, since, seen_at) ${person}
      on conflict (person_id, node_id) do update set seen_at = excluded.seen_at)
    select not exists (select 1 from presence where person_id = ${person_id}) as absent`);
  return row.absent;
}

/** Removes a node's entry of a user or guest. @returns whether it was their last entry */
export async function deletePresence(db: Queryable, person_id: string, node_id: string): Promise<boolean> {
  await lockPresence(db, person_id);
  const gone = await db.run(sql`delete from presence where person_id = ${person_id} and node_id = ${node_id}`);
  const left = await db.run(sql`select 1 from presence where person_id = ${person_id} limit 1`);
  return gone > 0 && left === 0;
}

/** Renews all entries of a node. */
export async function renewPresence(db: Queryable, node_id: string, now: Date): Promise<void> {
  await db.run(sql`update presence set seen_at = ${now} where node_id = ${node_id}`);
}

/** Entries that were not renewed, because their node is dead. */
export async function selectStalePresence(
  db: Queryable,
  before: Date,
): Promise<{ person_id: string; node_id: string }[]> {
  return db.many(sql`select person_id, node_id from presence where seen_at < ${before} order by seen_at limit 1000`);
}

/** A user as others see them, and the people who are notified of their presence; suspended users are never online. */
export async function selectPresenceAudience(
  db: Queryable,
  user_id: string,
  online: boolean,
): Promise<{ user: PublicUserRow; observers: string[] } | undefined> {
  return db.maybe(sql`
    select ${publicUserJson('u')} as user, array(
      select distinct m.id::text from follows f join users m on m.id = f.follower_id
      where f.owner_id = u.id and ${maySeeUser(user_id, 'm')} and ${followEachOther(user_id, sql`m.id`)} limit ${max_observers}::int) as observers
    from users u where u.id = ${user_id} and u.deleted_at is null and (u.suspended_at is null or not ${online}::boolean)`);
}

/** A person who is online, and since when. */
export type PresentRow = { user: PublicUserRow; since: Date };

/** The mutual followers of a viewer who are connected, latest first. */
export async function selectPresent(db: Queryable, viewer_id: string, page: Page): Promise<PresentRow[]> {
  return db.many<PresentRow>(sql`
    select ${publicUserJson('u')} as user, p.since
    from (select distinct f.owner_id from follows f where f.follower_id = ${viewer_id}) followed
      join users u on u.id = followed.owner_id
      cross join lateral (select min(since) as since from presence where user_id = u.id) p
    where p.since is not null and ${maySeeUser(viewer_id)} and ${followEachOther(viewer_id, sql`u.id`)}
    order by p.since desc, u.id desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`);
}

/**
 * Whether a mutual follower of a viewer is connected, and when they last were, while both show that, and if the viewer did
 * already then.
 */
export function selectPresence(
  db: Queryable,
  user_id: string,
  viewer_id: string,
): Promise<{ online: boolean; last_seen_at: Date | null } | undefined> {
  return db.maybe(sql`
    select exists (select 1 from presence p where p.user_id = u.id) as online,
      case when u.last_seen and me.last_seen and (me.last_seen_since is null or l.at >= me.last_seen_since) then l.at end as last_seen_at
    from users u join users me on me.id = ${viewer_id} left join last_seen l on l.user_id = u.id
    where u.id = ${user_id} and ${maySeeUser(viewer_id)} and ${followEachOther(viewer_id, sql`u.id`)}`);
}
