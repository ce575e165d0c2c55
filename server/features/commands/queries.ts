import { isNamed } from '../../domain/social/tags.ts';
import { wasSeen } from '../../domain/visibility/blocked-people.ts';
import { mayOpenGroup } from '../../domain/visibility/groups.ts';
import { follows, hasAsContact, maySeeUser } from '../../domain/visibility/people.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { row_by_row } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** How many matches of a name are read: more than one is ambiguous already. */
const max_alike = 4;

/** A contact or group of the caller, found by name. `asked` is the requested name. */
export type Candidate = { kind: 'contact' | 'group'; id: string; name: string; asked: string; is_whole: boolean };

/**
 * The caller's contacts whose name is, or begins with, one of some names, and the groups with such a name that they may
 * open.
 */
export function selectCandidates(db: Queryable, user_id: string, names: string[]): Promise<Candidate[]> {
  return db.many<Candidate>(sql`
    select found.*, asked.name as asked from unnest(${names}::text[]) as asked(name), lateral (
      (select 'contact' as kind, c.id, c.name, true as is_whole from contacts c
        where c.owner_id = ${user_id} and lower(c.name) collate "C" = asked.name order by c.id limit ${max_alike}::int)
      union all
      (select 'contact', c.id, c.name, false from contacts c
        where c.owner_id = ${user_id} and lower(c.name) collate "C" > asked.name || ' '
          and lower(c.name) collate "C" < asked.name || '!' order by lower(c.name) collate "C" limit ${max_alike}::int)
      union all
      (select 'group', g.id, g.name, true from groups g join users u on u.id = g.owner_id
        where (g.owner_id = ${user_id} or g.id in (
            select i.group_id from group_invites i where i.user_id = ${user_id} and i.state = 'accepted'))
          and lower(g.name) = asked.name and ${mayOpenGroup(user_id)} order by g.id limit ${max_alike}::int)) found`);
}

export type FoundUser = { id: string; username: string; display_name: string };

/**
 * A user by username or identifier, as far as the caller may see them. `is_known` when the caller follows them, has them
 * as a contact or has a thread with them.
 */
export function selectUser(
  db: Queryable,
  caller_id: string,
  which: { id: string } | { username: string },
): Promise<(FoundUser & { is_known: boolean }) | undefined> {
  const is = 'id' in which ? sql`u.id = ${which.id}` : sql`u.username = ${which.username}`;
  return db.maybe<FoundUser & { is_known: boolean }>(sql`
    select u.id, u.username, u.display_name, u.id = ${caller_id} or ${follows(caller_id, sql`u.id`, row_by_row)}
      or ${hasAsContact(caller_id, sql`u.id`)}
      or exists (select 1 from dm_threads d where d.low_id = least(${caller_id}, u.id) and d.high_id = greatest(${caller_id}, u.id)) as is_known
    from users u where ${is} and ${maySeeUser(caller_id)}`);
}

export type FoundTag = { id: string; name: string; owner_id: string };

/** A tag by its name, as far as the caller may open it. */
export function selectTag(db: Queryable, caller_id: string, name: string, now: Date): Promise<FoundTag | undefined> {
  return db.maybe<FoundTag>(sql`
    select t.id, t.name, t.owner_id from tags t join users u on u.id = t.owner_id
    where ${isNamed(name, now)} and ${mayOpenTag(caller_id)}`);
}

/** A user whom the caller has blocked, and whose name they know, by username, identifier or tag. */
export function selectBlocked(
  db: Queryable,
  caller_id: string,
  which: { id: string } | { username: string } | { tag: string },
): Promise<FoundUser | undefined> {
  const is =
    'id' in which
      ? sql`u.id = ${which.id}`
      : 'username' in which
        ? sql`u.username = ${which.username}`
        : sql`u.id = (select t.owner_id from tags t where t.name = ${which.tag} and t.deleted_at is null)`;
  return db.maybe<FoundUser>(sql`
    select u.id, u.username, u.display_name from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = ${caller_id} and ${is} and ${wasSeen}`);
}

/** The time zone of an account's commands. */
export async function selectTimeZone(db: Queryable, user_id: string): Promise<string> {
  return (await db.one<{ timezone: string }>(sql`select timezone from users where id = ${user_id}`)).timezone;
}

/** The caller's most recently created pending job. */
export function selectLastJob(db: Queryable, user_id: string): Promise<{ id: string } | undefined> {
  return db.maybe<{ id: string }>(sql`
    select id from scheduled_jobs where user_id = ${user_id} and state = 'scheduled' order by id desc limit 1`);
}
