import { lockAccount } from '../../domain/accounts/accounts.ts';
import { detachFiles, attachFiles } from '../../domain/files/files.ts';
import { invite_columns, type InviteRow, leaveGroups, withdrawInvites } from '../../domain/contacts/group-invites.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { few_members, groupColumns, type GroupRow } from '../../domain/contacts/groups.ts';
import { mayOpenGroup } from '../../domain/visibility/groups.ts';
import type { Tier } from '../../kernel/caller.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** A group before it is inserted. */
export type NewGroup = { id: string; name: string; description: string };

/**
 * Inserts a group if its owner's plan has room.
 * @returns whether it did. A separate statement locks the owner's row, because the counting one must see what was
 *   committed while the first waited for the lock.
 */
export async function insertGroup(
  { db, now }: Pick<Change, 'db' | 'now'>,
  { id, name, description }: NewGroup,
  owner_id: string,
  allowed: number,
): Promise<boolean> {
  await lockAccount(db, owner_id);
  const made = await db.run(sql`
    insert into groups (id, owner_id, name, description, created_at)
    select ${id}, ${owner_id}, ${name}, ${description}, ${now}::timestamptz
    where (select count(*) from groups where owner_id = ${owner_id} and deleted_at is null) < ${allowed}::int`);
  return made > 0;
}

/** Locks the account of somebody who is to own a group. @returns its tier; undefined when it was deleted */
export async function lockTier(db: Queryable, user_id: string): Promise<Tier | undefined> {
  const row = await db.maybe<{ tier: Tier }>(
    sql`select tier from users where id = ${user_id} and deleted_at is null for no key update`,
  );
  return row?.tier;
}

/** How many groups somebody owns, whose account the caller has locked. */
export async function countGroups(db: Queryable, owner_id: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from groups where owner_id = ${owner_id} and deleted_at is null`,
  );
  return count;
}

/** Sets or removes the picture of a group. @throws ApiError `validation_failed` that names `avatar_file_id` */
export async function setAvatar(
  { db, now }: Pick<Change, 'db' | 'now'>,
  group_id: string,
  owner_id: string,
  file_id: string | null,
): Promise<void> {
  await detachFiles(db, [group_id], now);
  if (file_id) {
    const image = await db.maybe(
      sql`select 1 as is_image from files where id = ${file_id} and owner_id = ${owner_id} and kind = 'image'`,
    );
    if (!image) invalid({ avatar_file_id: 'is not one of your pictures' });
    await attachFiles({ db, now }, { type: 'group', id: group_id }, { owner_id, file_ids: [file_id] });
  }
  await db.run(sql`update groups set avatar_file_id = ${file_id} where id = ${group_id}`);
}

/** One invite that its recipient may see, locked until the end of the transaction. */
export async function lockInvite(db: Queryable, id: string, user_id: string): Promise<InviteRow | undefined> {
  return db.maybe<InviteRow>(sql`
    select ${invite_columns} from group_invites i join groups g on g.id = i.group_id join users u on u.id = g.owner_id
    where i.id = ${id} and i.user_id = ${user_id} and not i.quiet and g.deleted_at is null and ${maySeeUser(user_id)}
    for update of i`);
}

/** The inviter and the group of an invite; undefined when it is not the user's. */
export async function selectInviter(
  db: Queryable,
  id: string,
  user_id: string,
): Promise<{ owner_id: string; group_id: string } | undefined> {
  return db.maybe(sql`
    select g.owner_id, i.group_id from group_invites i join groups g on g.id = i.group_id
    where i.id = ${id} and i.user_id = ${user_id}`);
}

/** Whether a contact in a group was invited, and whether they have answered. */
export type MembershipRow = { invite_id: string | null; is_answered: boolean };

/** A contact's row in a group. @param since declines before this time are ignored */
export async function selectContactMembership(
  db: Queryable,
  group_id: string,
  contact_id: string,
  since: Date,
): Promise<MembershipRow | undefined> {
  return db.maybe<MembershipRow>(sql`
    select i.id as invite_id, i.state = 'left' or (i.state = 'declined' and i.declined_at <= ${since}) as is_answered
    from group_members m left join group_invites i on i.id = m.invite_id
    where m.group_id = ${group_id} and m.contact_id = ${contact_id}`);
}

/** Makes a member who joined by the link the member that the owner has as this contact. */
export async function linkContactToMember(
  db: Queryable,
  { group_id, contact_id, user_id }: { group_id: string; contact_id: string; user_id: string },
): Promise<void> {
  await db.run(sql`
    update group_members m set contact_id = ${contact_id} from group_invites i
    where m.group_id = ${group_id} and m.contact_id is null and i.id = m.invite_id and i.user_id = ${user_id}
      and not exists (select 1 from group_members o where o.group_id = ${group_id} and o.contact_id = ${contact_id})`);
}

/** Adds a contact to a group, or records the invite that it was sent. */
export async function insertMember(
  { db, now }: Pick<Change, 'db' | 'now'>,
  { group_id, contact_id, invite_id }: { group_id: string; contact_id: string; invite_id: string | undefined },
): Promise<void> {
  await db.run(sql`
    insert into group_members (group_id, contact_id, invite_id, added_at)
    values (${group_id}, ${contact_id}, ${invite_id ?? null}, ${now})
    on conflict (group_id, contact_id) do update set invite_id = coalesce(excluded.invite_id, group_members.invite_id)`);
}

/** Deletes a member of a group. @returns their invite, if they have an account */
export async function deleteMember(db: Queryable, group_id: string, contact_id: string): Promise<string | null> {
  const { invite_id } = await db.one<{ invite_id: string | null }>(sql`
    delete from group_members where group_id = ${group_id} and contact_id = ${contact_id} returning invite_id`);
  return invite_id;
}

/** Deletes the row of a member who has an account. */
export async function deleteMembership(db: Queryable, group_id: string, invite_id: string): Promise<void> {
  await db.run(sql`delete from group_members where group_id = ${group_id} and invite_id = ${invite_id}`);
}

/** The accepted invite by which a person is a member of a group. */
export function selectMembership(
  db: Queryable,
  group_id: string,
  user_id: string,
): Promise<{ id: string; is_admin: boolean } | undefined> {
  return db.maybe(sql`
    select id, is_admin from group_invites
    where group_id = ${group_id} and user_id = ${user_id} and state = 'accepted'`);
}

/** Writes the given settings of a group; the others stay. */
export async function updateGroup(
  db: Queryable,
  id: string,
  { name, description }: { name?: string; description?: string },
): Promise<void> {
  await db.run(sql`
    update groups set name = coalesce(${name?.trim() ?? null}, name), description = coalesce(${description ?? null}, description)
    where id = ${id}`);
}

/** The groups that a person owns or is a member of, newest first. */
export function selectGroups(db: Queryable, viewer_id: string, page: Page): Promise<GroupRow[]> {
  // Own groups and memberships are one index lookup each; only the groups of the page are read completely.
  return db.many<GroupRow>(sql`
    select ${groupColumns(viewer_id, few_members)} from (
      select g.id from (
        select id from groups where owner_id = ${viewer_id} and deleted_at is null
        union all
        select group_id from group_invites where user_id = ${viewer_id} and state = 'accepted') mine
      join groups g on g.id = mine.id join users u on u.id = g.owner_id
      where ${mayOpenGroup(viewer_id)} ${pageOf(page, 'g.id')}) page
    join groups g on g.id = page.id join users u on u.id = g.owner_id order by g.id desc`);
}

/** The invites of a person in one state. Those who have left see no more of the group, whose name may have changed since. */
export function selectInvites(
  db: Queryable,
  viewer_id: string,
  { state, ...page }: Page & { state: InviteRow['state'] },
): Promise<InviteRow[]> {
  return db.many<InviteRow>(sql`
    select ${invite_columns} from group_invites i join groups g on g.id = i.group_id join users u on u.id = g.owner_id
    where i.user_id = ${viewer_id} and i.state = ${state} and not i.quiet
      and g.deleted_at is null and ${maySeeUser(viewer_id)} ${pageOf(page, 'i.id')}`);
}

/** Marks an invite to a group as accepted. */
export async function acceptInvite(db: Queryable, id: string, now: Date): Promise<void> {
  await db.run(sql`update group_invites set state = 'accepted', decided_at = ${now} where id = ${id}`);
}

/** Marks an invite to a group as declined, which removes what belongs to the membership. */
export const declineInvite = (change: Change, id: string): Promise<void> => leaveGroups(change, sql`i.id = ${id}`);

/** Ends a person's membership of a group, on their side. */
export const endMembership = (change: Change, group_id: string, user_id: string): Promise<void> =>
  leaveGroups(change, sql`i.group_id = ${group_id} and i.user_id = ${user_id}`);

/** Ends an open invite or a membership, on the owner's side. */
export const withdrawInvite = (change: Change, id: string | null): ReturnType<typeof withdrawInvites> =>
  withdrawInvites(change, sql`i.id = ${id}`);
