import { lockAccount } from '../../domain/accounts/accounts.ts';
import { own_tag_columns, reserveName, tagColumns, type TagRow, requireOwnTag } from '../../domain/social/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { mayListTag } from '../../domain/visibility/tags.ts';
import { isUniqueViolation, ofVariableText, type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { none_common } from '../../kernel/search/common-words.ts';
import {
  type Common,
  matchNearCommon,
  matchSpelling,
  matchWords,
  nearCommon,
  type Searched,
  wordsOf,
} from '../../kernel/search/spelling.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

const is_public = sql`t.deleted_at is null and t.visibility = 'public'`;

/** The searched columns of public tags, as in the indexes `tags_search` and `tags_spelling`. */
const of_tags: Searched = {
  id: sql`t.id`,
  from: sql`tags t`,
  where: is_public,
  text: sql`t.searched`,
};
/** The searched columns of their owners, as in `users_search` and `users_spelling`. */
const of_owners: Searched = {
  id: sql`u.id`,
  from: sql`users u`,
  where: sql`u.deleted_at is null`,
  text: sql`search_text(u.display_name, u.username, '')`,
};

/** The rank of a match; lower is better. */
const ranks = { name: 0, prefix: 1, title: 2, owner: 3, description: 4, words: 5, near: 6 } as const;

/**
 * The maximum of matches by each criterion: the longest page, and one more. Of prefix matches these are the first in
 * alphabetical order.
 */
const max_found = 101;
/** Owners have several tags each. */
const max_owners = 100;
/** How many of the most popular tags are considered for very common words: the longest page. */
const max_popular = 100;

/** The common words of each of the two searched texts. */
export type CommonToBoth = { tags: Common; owners: Common };

const popular = sql`
  (select * from tags t where ${is_public} order by t.popularity desc, t.id desc limit ${max_popular}::int) t`;

/** The tags of owners whom others may find. */
const tagsOfOwners = (condition: Sql, owner_rank: Sql) => sql`
  select t.id, t.follower_count, owner.rank from (
    select u.id, ${owner_rank} as rank from users u
    where u.deleted_at is null and u.reach ->> 'find' <> 'none' and ${condition} limit ${max_owners}::int) owner
    join tags t on t.owner_id = owner.id
  where ${is_public}`;

/**
 * The identifiers of public tags that match a lower-case text, each with a rank: by name, by name prefix, by name and
 * title, by the owner's names if they can be found, by description, by its words only; best first, then most followed.
 * Each criterion is a lookup in an index of public tags, so that private ones affect neither time nor result; and each
 * is limited, so that a search costs the same however many tags there are: very common words are looked up among the
 * most popular tags.
 * @param near includes near matches by spelling, ranked last
 */
export function findTags(typed: string, common: CommonToBoth, { near }: { near: boolean }): Sql {
  return sql`
    select id, follower_count, min(rank) as rank
    from (${near ? sql`${exactMatches(typed, common)} union all ${nearMatches(typed, common)}` : exactMatches(typed, common)}) matches
    group by id, follower_count order by rank, follower_count desc, id desc`;
}

/** Whether every word is very common. */
const isCommon = (typed: string, { words }: Common) => wordsOf(typed).every((word) => words.has(word));

function exactMatches(typed: string, common: CommonToBoth): Sql {
  const is_common = isCommon(typed, common.tags);
  // The position of a match in the text shows which field matched: name and title come first.
  const place = sql`strpos(t.searched, ${typed})`;
  const rank = sql`case
    when ${place} = 0 then ${ranks.words}::int
    when ${place} + ${[...typed].length}::int <= length(t.name) + length(t.title) + 3 then ${ranks.title}::int
    else ${ranks.description}::int end as rank`;
  const owner_rank = sql`case when strpos(${of_owners.text}, ${typed}) > 0 then ${ranks.owner}::int else ${ranks.words}::int end`;
  return sql`
    (with held as materialized (
      select t.id, t.follower_count, ${rank} from tags t
      where ${is_public} and ${is_common ? sql`false` : matchWords(of_tags, typed, common.tags)} limit ${max_found}::int)
    select id, follower_count, rank from held
    union all
    (select t.id, t.follower_count, ${rank} from ${popular}
    where (${is_common}::boolean or (select count(*) from held) >= ${max_found}::int)
      and ${matchNearCommon(of_tags, typed, none_common)} limit ${max_found}::int))
    union all
    (select t.id, t.follower_count, case when t.name = ${typed} then ${ranks.name}::int else ${ranks.prefix}::int end as rank
    from tags t where ${is_public} and t.name >= ${typed} and t.name < ${`${typed}~`} order by t.name limit ${max_found}::int)
    ${isCommon(typed, common.owners) ? sql`` : sql`union all (${tagsOfOwners(matchWords(of_owners, typed, common.owners), owner_rank)})`}`;
}

function nearMatches(typed: string, common: CommonToBoth): Sql {
  const has_near_common = wordsOf(typed).some((word) => nearCommon(word, common.tags).length > 0);
  const rank = sql`${ranks.near}::int as rank`;
  return sql`
    (select t.id, t.follower_count, ${rank} from tags t
    where ${is_public} and ${isCommon(typed, common.tags) ? sql`false` : matchSpelling(of_tags, typed, common.tags)}
    limit ${max_found}::int)
    ${has_near_common ? sql`union all (select t.id, t.follower_count, ${rank} from ${popular} where ${matchNearCommon(of_tags, typed, common.tags)} limit ${max_found}::int)` : sql``}
    ${isCommon(typed, common.owners) ? sql`` : sql`union all (${tagsOfOwners(matchSpelling(of_owners, typed, common.owners), sql`${ranks.near}::int`)})`}`;
}

/** A tag before it is inserted. */
export type NewTag = Omit<TagRow, 'owner' | 'follower_count' | 'media' | 'following' | 'requested'>;

/**
 * Inserts a tag if its owner's plan has room; undefined otherwise. A separate statement locks the owner's row, because
 * the counting one must see what was committed while the first waited for the lock. The same applies to the check for a
 * reserved name: a tag that was just renamed has left a reservation, for which the insert has waited. All three share a
 * round trip.
 * @throws ApiError `tag_taken`
 */
export async function insertTag(
  db: Queryable,
  tag: NewTag,
  owner_id: string,
  allowed: number,
): Promise<TagRow | undefined> {
  const locked = lockAccount(db, owner_id);
  const made = db.maybe<TagRow>(sql`
    with made as (
      insert into tags (id, name, owner_id, title, description, visibility, follow_policy, comments_open, created_at)
      select ${tag.id}, ${tag.name}, ${owner_id}, ${tag.title}, ${tag.description}, ${tag.visibility}, ${tag.follow_policy},
             ${tag.comments_open}::boolean, ${tag.created_at}::timestamptz
      where (select count(*) from tags where owner_id = ${owner_id} and deleted_at is null) < ${allowed}::int
      returning *)
    select ${own_tag_columns} from made t join users u on u.id = t.owner_id`);
  const free = refuseHeldName(db, tag.name, tag.id, tag.created_at);
  const [, row] = await Promise.all([locked, made.catch(refuseTakenName), free]);
  return row;
}

/** @throws ApiError `tag_taken` when a name is reserved for another tag than this one */
async function refuseHeldName(db: Queryable, name: string, tag_id: string, now: Date): Promise<void> {
  const held = await db.run(sql`
    select 1 from held_tag_names where name = ${name} and tag_id <> ${tag_id} and held_until > ${now}`);
  if (held > 0) fail('tag_taken', { fields: { name: 'is already taken' } });
}

/**
 * Renames a tag and reserves its old name. A reservation by the tag itself ends when it gets the name again.
 * @throws ApiError `tag_taken`
 */
export async function renameTag(db: Queryable, tag: TagRow, name: string, now: Date, held_until: Date): Promise<void> {
  await db.run(sql`update tags set name = ${name} where id = ${tag.id}`).catch(refuseTakenName);
  // Checked last: a transaction that just released the name left a reservation, for which the update has waited.
  await refuseHeldName(db, name, tag.id, now);
  await db.run(sql`delete from held_tag_names where name = ${name}`);
  await reserveName(db, { name: tag.name, id: tag.id, owner_id: tag.owner.id }, held_until);
}

/** Turns a unique violation into the error that a name is taken. @throws ApiError `tag_taken`, or the original error */
function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error, 'tags_name')) fail('tag_taken', { fields: { name: 'is already taken' } });
  throw error;
}

/**
 * Reorders the media of a locked tag.
 * @throws ApiError `validation_failed` unless `file_ids` contains each of them once
 */
export async function orderMedia(db: Queryable, tag: TagRow, file_ids: string[]): Promise<void> {
  const named = new Set(file_ids);
  const is_whole = file_ids.length === tag.media.length && tag.media.every(({ id }) => named.has(id));
  if (!is_whole) invalid({ media: 'must list each of its files exactly once' });
  await db.run(sql`
    update file_uses set position = array_position(${file_ids}::text[], file_id::text) where subject_id = ${tag.id}`);
}

/**
 * Locks a tag until the end of the transaction. A separate statement, so that the following lookup of the tag sees what
 * was committed while this one waited for the lock.
 */
export async function lockForEdit(db: Queryable, id: string): Promise<void> {
  await db.run(sql`select 1 from tags where id = ${id} for update`);
}

/** A tag of the caller, locked until the end of the transaction. @throws ApiError `not_found`, `forbidden` */
export async function lockOwnTag(db: Queryable, id: string, viewer: Viewer): Promise<TagRow> {
  await lockForEdit(db, id);
  return requireOwnTag(db, id, viewer);
}

/** The tags of an owner, newest first. */
export function selectOwnTags(db: Queryable, owner_id: string, page: Page): Promise<TagRow[]> {
  return db.many<TagRow>(sql`
    select ${own_tag_columns} from tags t join users u on u.id = t.owner_id
    where t.owner_id = ${owner_id} and t.deleted_at is null ${pageOf(page, 't.id')}`);
}

/** The changed settings of a tag. */
export type TagEdit = Partial<Pick<TagRow, 'title' | 'description' | 'visibility' | 'follow_policy' | 'comments_open'>>;

/** Writes the given settings of a tag; the others stay. */
export async function updateTag(db: Queryable, id: string, edit: TagEdit): Promise<void> {
  await db.run(sql`
    update tags set
      title = coalesce(${edit.title ?? null}, title),
      description = coalesce(${edit.description ?? null}, description),
      visibility = coalesce(${edit.visibility ?? null}, visibility),
      follow_policy = coalesce(${edit.follow_policy ?? null}, follow_policy),
      comments_open = coalesce(${edit.comments_open ?? null}::boolean, comments_open)
    where id = ${id}`);
}

/**
 * A page of the tags that match a lower-case text, best matches first, if the viewer may list them. They are checked in
 * the order of their rank until the page is full: `offset 0` prevents the planner from checking all of them.
 */
export function selectFound(
  db: Queryable,
  viewer: Viewer,
  found: { typed: string; common: CommonToBoth; near: boolean; limit: number; offset: number },
): Promise<TagRow[]> {
  const { typed, common, near, limit, offset } = found;
  // The text of the statement depends on the kind of each word, and its plan takes up to a megabyte.
  const bound = wordsOf(typed).length > 2 ? ofVariableText : (one: Sql) => one;
  return db.many<TagRow>(
    bound(sql`
    select seen.* from (${findTags(typed, common, { near })}) found
      cross join lateral (
        select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
        where t.id = found.id and ${mayListTag(viewer.id)} offset 0) seen
    order by found.rank, found.follower_count desc, found.id desc
    limit ${limit} offset ${offset}`),
  );
}

/** The position of the last of a tag's media; 0 when there are none. */
export async function selectLastPosition(db: Queryable, tag_id: string): Promise<number> {
  const { position } = await db.one<{ position: number }>(
    sql`select coalesce(max(position), 0) as position from file_uses where subject_id = ${tag_id}`,
  );
  return position;
}

/** Counts media that were added to a tag, or removed from it. */
export async function countMedia(db: Queryable, id: string, added: 1 | -1): Promise<void> {
  await db.run(sql`update tags set media_count = media_count + ${added}::int where id = ${id}`);
}
