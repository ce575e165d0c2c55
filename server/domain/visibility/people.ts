/** Visibility of people: blocks, suspensions and reach. */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import { row_by_row, type ViewerId } from './viewer.ts';

/** No block separates the viewer from the person whose identifier is in `column`. */
export const areNotBlocked = (viewer_id: ViewerId, column: string): Sql =>
  sql`not exists (select 1 from blocked_pairs where blocked_pairs.user_id = ${viewer_id} and blocked_pairs.other_id = ${raw(column)})`;

/** The account in `column` is suspended: everything of it is hidden until that ends. */
export const isSuspended = (column: string): Sql =>
  sql`exists (select 1 from users gone where gone.id = ${raw(column)} and gone.suspended_at is not null)`;

/** Messages of author `a.author_id` in a group or widget are visible to a viewer who is not among `a.hidden_from`. */
export const isWriterShown = (viewer_id: ViewerId): Sql =>
  sql`(not ${viewer_id} = any(a.hidden_from) and not ${isSuspended('a.author_id')})`;

/** What account `column` did is visible to a viewer: a block or a suspension hides it, its deletion does not. */
export const isActorVisible = (viewer_id: ViewerId, column: string): Sql =>
  sql`(${areNotBlocked(viewer_id, column)} and not ${isSuspended(column)})`;

/** An account is neither deleted nor suspended. */
export const isActive = (alias = 'u'): Sql => {
  const at = raw(alias);
  return sql`${at}.deleted_at is null and ${at}.suspended_at is null`;
};

/** Account `u` exists for a viewer: not deleted, not suspended, no block between them. */
export const maySeeUser = (viewer_id: ViewerId, alias = 'u'): Sql =>
  sql`${isActive(alias)} and ${areNotBlocked(viewer_id, `${alias}.id`)}`;

/**
 * One person follows a tag of another. `one` and `other` are columns or parameters.
 * @param end the end of the subquery
 */
export const follows = (one: ViewerId, other: ViewerId, end = sql``): Sql =>
  sql`exists (select 1 from follows f where f.follower_id = ${one} and f.owner_id = ${other} ${end})`;

/** Two people follow a tag of each other. */
export const followEachOther = (one: ViewerId, other: ViewerId, end = sql``): Sql =>
  sql`${follows(one, other, end)} and ${follows(other, one, end)}`;

/**
 * One person has another among their contacts: by a verified number or e-mail of the other, by a tag of theirs, or by
 * an invite that one of them accepted.
 */
export const hasAsContact = (one: ViewerId, other: ViewerId): Sql => sql`(
  exists (
    select 1 from users k join contact_addresses a on a.owner_id = ${one} and a.address = any(array[
      k.id, case when k.mobile_verified then k.mobile_number end, case when k.email_verified then k.email end])
    where k.id = ${other} ${row_by_row})
  or exists (
    select 1 from tags k join contact_addresses a on a.owner_id = ${one} and a.address = '*' || k.name
    where k.owner_id = ${other} and k.deleted_at is null ${row_by_row}))`;

/** Person `u` follows the viewer or has them as a contact. */
export const isKnownTo = (viewer_id: ViewerId): Sql =>
  sql`(${follows(sql`u.id`, viewer_id, row_by_row)} or ${hasAsContact(sql`u.id`, viewer_id)})`;

/**
 * Whether the reach that `u` has set for an approach (`message`, `call`, `add`, `find`) includes the viewer: everyone;
 * people whom `u` follows or has as a contact; mutual followers; nobody.
 */
export const mayReach = (viewer_id: ViewerId, approach: 'message' | 'call' | 'add' | 'find'): Sql => sql`
  case u.reach ->> ${approach}
    when 'everyone' then true
    when 'contacts' then ${isKnownTo(viewer_id)}
    when 'mutual' then ${followEachOther(viewer_id, sql`u.id`, row_by_row)}
    else false
  end`;
