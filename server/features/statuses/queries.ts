import type { MentionRow } from '../../domain/social/mentions.ts';
import {
  editsColumns,
  from_statuses,
  mentionedMaySee,
  statusColumns,
  type StatusRow,
  type StatusVisibility,
} from '../../domain/social/statuses.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { isActorVisible, maySeeUser } from '../../domain/visibility/people.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { publicUserJson } from '../../domain/accounts/accounts.ts';
import { type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import { requireUnchanged } from '../../kernel/row-cache.ts';
import type { Change } from '../../kernel/services.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { type Page, pageOf } from '../../kernel/page.ts';
import type { ReplyRow } from './schemas.ts';

/** A status before it is inserted. */
export type NewStatus = {
  id: string;
  tag_id: string | null;
  body: string;
  visibility: StatusVisibility;
  mentions: MentionRow[];
  media_count: number;
};

/**
 * Inserts a status under a tag of its author, or none; undefined when the tag is not theirs. The tag is locked, so that
 * it cannot be deleted meanwhile.
 */
export async function insertStatus(db: Queryable, status: NewStatus, author: Viewer): Promise<StatusRow | undefined> {
  return db.maybe<StatusRow>(sql`
    with s as (
      insert into statuses (id, author_id, tag_id, body, visibility, mentions, media_count, created_at)
      select ${status.id}, ${author.id}, ${status.tag_id}::text, ${status.body}, ${status.visibility},
             ${JSON.stringify(status.mentions)}::jsonb, ${status.media_count}::int, ${author.now}::timestamptz
      where ${status.tag_id}::text is null or exists (
        select 1 from tags where id = ${status.tag_id} and owner_id = ${author.id} and deleted_at is null for key share)
      returning *)
    select ${statusColumns(author)} from s join users u on u.id = s.author_id left join tags t on t.id = s.tag_id`);
}

/** What a status shows of its author and its tag, and whether an operator has hidden the tag. */
export type StatusLabels = Pick<StatusRow, 'author' | 'tag' | 'hidden'>;

/**
 * Inserts a status whose labels are cached, without reading it back: succeeds only while the cached labels are current
 * and the tag is its author's.
 */
export function insertLabelledStatus(
  { writeWithEvents, now }: Pick<Change, 'writeWithEvents' | 'now'>,
  status: NewStatus,
  { author, tag, hidden }: StatusLabels,
): Promise<void> {
  const is_tag_still =
    tag === null
      ? sql`true`
      : sql`exists (
          select 1 from tags t where t.id = ${tag.id} and t.owner_id = ${author.id} and t.deleted_at is null
            and (t.name, t.title, t.hidden_at is not null) = (${tag.name}, ${tag.title}, ${hidden}::boolean) for key share)`;
  return writeWithEvents(sql`
    made as (
      insert into statuses (id, author_id, tag_id, body, visibility, mentions, media_count, created_at)
      select ${status.id}, ${author.id}, ${status.tag_id}::text, ${status.body}, ${status.visibility},
             ${JSON.stringify(status.mentions)}::jsonb, ${status.media_count}::int, ${now}::timestamptz
      where ${requireUnchanged(sql`
        exists (
          select 1 from users u where u.id = ${author.id} and (u.username, u.display_name, coalesce(u.avatar_key, ''))
            = (${author.username}, ${author.display_name}, ${author.avatar_key ?? ''}))
        and ${is_tag_still}`)})`);
}

/**
 * Writes an edit, and stores the earlier version if the text changed: of more than `status_edits`, the original and the
 * latest are kept.
 */
export async function updateStatus(
  db: Queryable,
  before: StatusRow,
  edit: { body: string; mentions: MentionRow[]; visibility: string | undefined; media: string[] | undefined },
  now: Date,
): Promise<void> {
  const media_count = edit.media?.length ?? before.media.length;
  const visibility = edit.visibility ?? before.visibility;
  const files_before = before.media.map(({ id }) => id).join();
  const is_same = edit.body === before.body && (edit.media?.join() ?? files_before) === files_before;
  if (edit.body !== before.body) {
    await db.run(sql`
      with replaced as (
        insert into status_edits (status_id, body, replaced_at, number)
        select ${before.id}, ${before.body}, ${now}::timestamptz,
               coalesce((select max(number) + 1 from status_edits where status_id = ${before.id}), 0)
        returning number)
      delete from status_edits e using replaced
      where e.status_id = ${before.id} and e.number > 0
        and e.number <= replaced.number - ${default_limits.status_edits - 1}::int`);
  }
  await db.run(sql`
    update statuses set body = ${edit.body}, mentions = ${JSON.stringify(edit.mentions)}::jsonb, visibility = ${visibility},
      media_count = ${media_count}, edited_at = ${is_same ? before.edited_at : now}::timestamptz
    where id = ${before.id}`);
}

/** The columns of ReplyRow, over `replies r join users u`. */
const reply_columns = sql`
  r.id, r.status_id, r.body, r.mentions, r.created_at, ${publicUserJson('u')} as author`;

/** A reply before it is inserted. */
export type NewReply = { status_id: string; body: string; mentions: MentionRow[] };

/** Inserts a reply to a status. */
export async function insertReply({ db, id, now }: Change, reply: NewReply, author_id: string): Promise<ReplyRow> {
  return db.one<ReplyRow>(sql`
    with r as (
      insert into replies (id, status_id, author_id, body, mentions, created_at)
      values (${id('reply')}, ${reply.status_id}, ${author_id}, ${reply.body}, ${JSON.stringify(reply.mentions)}::jsonb, ${now})
      returning *)
    select ${reply_columns} from r join users u on u.id = r.author_id`);
}

/** Inserts a like. @returns the like, or undefined when it existed already */
export async function insertLike(
  { db, id, now }: Change,
  status_id: string,
  user_id: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    with made as (
      insert into status_likes (id, status_id, user_id, created_at)
      select ${id('like')}, s.id, ${user_id}, ${now}::timestamptz from statuses s where s.id = ${status_id} for update
      on conflict (status_id, user_id) do nothing returning id)
    update statuses set like_count = like_count + 1 from made where statuses.id = ${status_id} returning made.id`);
  return row?.id;
}

/**
 * Deletes a like. Locks the status first, as inserting one does: otherwise each could wait for the other.
 * @returns it, or undefined when there was none
 */
export async function deleteLike(db: Queryable, status_id: string, user_id: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    with locked as (select s.id from statuses s where s.id = ${status_id} for update),
    gone as (
      delete from status_likes l using locked where l.status_id = locked.id and l.user_id = ${user_id} returning l.id)
    update statuses set like_count = like_count - 1 from gone where statuses.id = ${status_id} returning gone.id`);
  return row?.id;
}

/** Deletes the likes of a deleted account, a portion of them, in the same order of locks. @returns the deleted likes */
export async function deleteLikesOf(db: Queryable, user_id: string, portion: number): Promise<string[]> {
  const liked = sql`array(
    select status_id from status_likes where user_id = ${user_id} order by status_id limit ${portion}::int)`;
  await db.run(sql`select 1 from statuses where id = any(${liked}) order by id for update`);
  const rows = await db.many<{ id: string }>(sql`
    with gone as (
      delete from status_likes where user_id = ${user_id} and status_id = any(${liked}) returning id, status_id),
    counted as (update statuses set like_count = like_count - 1 from gone where statuses.id = gone.status_id)
    select id from gone`);
  return rows.map(({ id }) => id);
}

/** Marks a status as deleted that is purged in portions: from now on nobody sees it. */
export async function markDeleted(db: Queryable, id: string, now: Date): Promise<void> {
  await db.run(sql`
    update statuses set hidden_at = coalesce(hidden_at, ${now}::timestamptz), deleted_at = ${now} where id = ${id}`);
}

/** A status that a viewer may see, with its earlier versions. */
export function selectStatus(db: Queryable, id: string, viewer: Viewer): Promise<StatusRow | undefined> {
  return db.maybe<StatusRow>(sql`
    select ${statusColumns(viewer)}, ${editsColumns(default_limits.status_edits)}
    from ${from_statuses} where s.id = ${id} and ${maySeeStatus(viewer.id)}`);
}

/** The statuses of their author, newest first, with their earlier versions. */
export function selectOwnStatuses(db: Queryable, author: Viewer, page: Page): Promise<StatusRow[]> {
  return db.many<StatusRow>(sql`
    select ${statusColumns(author)}, ${editsColumns(default_limits.status_edits_listed)} from ${from_statuses}
    where s.author_id = ${author.id} and s.deleted_at is null and t.deleted_at is null ${pageOf(page, 's.id')}`);
}

/** Locks a status until the end of the transaction, for an edit. */
export async function lockStatus(db: Queryable, id: string): Promise<void> {
  await db.run(sql`select 1 from statuses where id = ${id} for update`);
}

/** Locks a status until the end of the transaction, while something is added to it: one deleted meanwhile is not found. */
export async function lockAgainstDeletion(db: Queryable, id: string): Promise<void> {
  await db.run(sql`select 1 from statuses where id = ${id} for key share`);
}

/** Recipient `a` of a notification may no longer see a status. */
export const mayNoLongerSee = (status_id: string): Sql => sql`not ${mentionedMaySee(status_id, 'a.user_id')}`;

/** The replies to a status, newest first. */
export function selectReplies(db: Queryable, status_id: string, viewer: Viewer, page: Page): Promise<ReplyRow[]> {
  return db.many<ReplyRow>(sql`
    select ${reply_columns} from replies r join users u on u.id = r.author_id
    where r.status_id = ${status_id} and r.hidden_at is null and ${maySeeUser(viewer.id)} ${pageOf(page, 'r.id')}`);
}

/** Who may delete a reply: its author, and that of its status. */
export type DeletableReply = { author_id: string; status_author_id: string; status_id: string };

/** A reply that a person has written or sees. */
export function selectDeletableReply(
  db: Queryable,
  id: string,
  viewer_id: string,
): Promise<DeletableReply | undefined> {
  return db.maybe<DeletableReply>(sql`
    select r.author_id, s.author_id as status_author_id, s.id as status_id
    from replies r, ${from_statuses}
    where r.id = ${id} and s.id = r.status_id and (r.author_id = ${viewer_id}
      or (r.hidden_at is null and ${maySeeStatus(viewer_id)} and ${isActorVisible(viewer_id, 'r.author_id')}))`);
}

/** Deletes a reply. */
export async function removeReply(db: Queryable, id: string): Promise<void> {
  await db.run(sql`delete from replies where id = ${id}`);
}
