import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { groupLabelJson, type GroupRow } from '../../domain/contacts/groups.ts';
import { comment_columns, type CommentRow, maySeeComment } from '../../domain/social/comments.ts';
import type { MentionRow } from '../../domain/social/mentions.ts';
import { from_statuses, statusColumns, type StatusRow } from '../../domain/social/statuses.ts';
import { isNamed, requireTagByName, tagColumns, type TagRow } from '../../domain/social/tags.ts';
import { mayOpenGroup } from '../../domain/visibility/groups.ts';
import { hasMuted } from '../../domain/visibility/mutes.ts';
import { mayReach, maySeeUser } from '../../domain/visibility/people.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { mayListTag, mayOpenTag, seesAllOfTag } from '../../domain/visibility/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { type Queryable, raw, sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';
import { max_person_tags, max_shared_groups } from './schemas.ts';

/** The number of statuses on a profile. */
const shown_statuses = 10;

/** The tag of a profile that a viewer may open. @throws ApiError `not_found` */
export function requireProfileTag(db: Queryable, name: string, viewer: Viewer): Promise<TagRow> {
  return requireTagByName(db, name, viewer);
}

/** The number of statuses of a tag that the viewer sees, as a follower or not, and whether they see all. */
export async function selectStatusCount(
  db: Queryable,
  tag_id: string,
  viewer: Viewer,
): Promise<{ status_count: number; sees_all: boolean }> {
  return db.one(sql`
    select sees_all, case when sees_all then status_count else public_status_count end as status_count
    from (select t.status_count, t.public_status_count, ${seesAllOfTag(viewer.id)} as sees_all
      from tags t where t.id = ${tag_id}) counted`);
}

/**
 * The latest statuses of a tag that a viewer may see, without those hidden by an operator, which no count includes. The
 * explicit condition for viewers who see only public ones allows the index of public statuses to be used.
 */
export async function selectLatest(
  db: Queryable,
  tag_id: string,
  viewer: Viewer,
  sees_all: boolean,
): Promise<StatusRow[]> {
  const of_class = sees_all ? sql`` : sql`and s.visibility = 'public'`;
  return db.many<StatusRow>(sql`
    select ${statusColumns(viewer)} from ${from_statuses}
    where s.stream_id = ${tag_id} and s.hidden_at is null ${of_class} and ${maySeeStatus(viewer.id)}
    order by s.id desc limit ${shown_statuses}::int`);
}

/** A person's profile as one viewer sees it. */
export type PersonRow = { user: PublicUserRow; bio: string; joined_at: Date; muted: boolean };

/** A person whom a viewer may see. */
export function selectPerson(db: Queryable, user_id: string, viewer: Viewer): Promise<PersonRow | undefined> {
  return db.maybe<PersonRow>(sql`
    select ${publicUserJson('u')} as user, u.bio, u.created_at as joined_at,
      ${hasMuted(viewer.id, sql`u.id`)} as muted
    from users u where u.id = ${user_id} and ${maySeeUser(viewer.id)}`);
}

/** The other person with a username, if they let the viewer find them. */
export function selectFindable(db: Queryable, username: string, viewer: Viewer): Promise<{ user: PublicUserRow }[]> {
  return db.many(sql`
    select ${publicUserJson('u')} as user from users u
    where u.username = ${username} and u.id <> ${viewer.id} and ${maySeeUser(viewer.id)} and ${mayReach(viewer.id, 'find')}`);
}

/** The tags of a person that a viewer can find or follows, most followed first. */
export function selectTagsOf(db: Queryable, user_id: string, viewer: Viewer): Promise<TagRow[]> {
  return db.many<TagRow>(sql`
    select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
    where t.owner_id = ${user_id} and u.deleted_at is null
      and (${mayListTag(viewer.id)} or (${mayOpenTag(viewer.id)} and ${seesAllOfTag(viewer.id)}))
    order by t.follower_count desc, t.id limit ${max_person_tags}::int`);
}

/** The groups with both a person and a viewer, newest first. */
export function selectSharedGroups(db: Queryable, user_id: string, viewer: Viewer): Promise<Pick<GroupRow, 'label'>[]> {
  return db.many(sql`
    select ${groupLabelJson} as label from groups g join users u on u.id = g.owner_id
    where g.id in (
        select id from groups where owner_id = ${user_id} and deleted_at is null
        union select group_id from group_invites where user_id = ${user_id} and state = 'accepted')
      and ${mayOpenGroup(viewer.id)}
      and exists (select 1 from users other where other.id = ${user_id} and ${maySeeUser(viewer.id, 'other')})
    order by g.id desc limit ${max_shared_groups}::int`);
}

/** A comment before it is inserted. */
export type NewComment = { tag_id: string; body: string; mentions: MentionRow[] };

/** Inserts a comment on a profile. */
export async function insertComment(
  { db, id, now }: Change,
  comment: NewComment,
  author_id: string,
): Promise<CommentRow> {
  return db.one<CommentRow>(sql`
    with c as (
      insert into comments (id, tag_id, author_id, body, mentions, created_at)
      values (${id('cmt')}, ${comment.tag_id}, ${author_id}, ${comment.body}, ${JSON.stringify(comment.mentions)}::jsonb, ${now})
      returning *)
    select ${comment_columns} from c join users u on u.id = c.author_id`);
}

/** The comments on a profile, newest first. */
export function selectComments(db: Queryable, tag_id: string, viewer: Viewer, page: Page): Promise<CommentRow[]> {
  return db.many<CommentRow>(sql`
    select ${comment_columns} from comments c join users u on u.id = c.author_id
    where c.tag_id = ${tag_id} and c.hidden_at is null and ${maySeeUser(viewer.id)} ${pageOf(page, 'c.id')}`);
}

/** Who may delete a comment: its author, and the owner of its tag. */
export type DeletableComment = { author_id: string; owner_id: string; tag_id: string };

/** A comment that a person sees. Its author may always delete it, even on a profile that they can no longer open. */
export function selectDeletable(
  db: Queryable,
  { xtag, comment_id }: { xtag: string; comment_id: string },
  viewer_id: string,
  now: Date,
): Promise<DeletableComment | undefined> {
  return db.maybe<DeletableComment>(sql`
    select c.author_id, t.owner_id, c.tag_id
    from comments c join tags t on t.id = c.tag_id join users u on u.id = t.owner_id join users a on a.id = c.author_id
    where c.id = ${comment_id} and ${isNamed(xtag.toLowerCase(), now)} and (
      (c.author_id = ${viewer_id} and t.deleted_at is null)
      or ${maySeeComment(viewer_id)})`);
}

/** Deletes a comment. */
export async function removeComment(db: Queryable, id: string): Promise<void> {
  await db.run(sql`delete from comments where id = ${id}`);
}

/** Person `m`, whom a comment mentions, may open the profile. */
export const mayBeMentioned = (tag_id: string): Sql => sql`exists (
  select 1 from tags t join users u on u.id = t.owner_id where t.id = ${tag_id} and ${mayOpenTag(raw('m.id'))})`;
