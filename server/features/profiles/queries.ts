import { comment_columns, type CommentRow } from '../../domain/social/comments.ts';
import { from_statuses, statusColumns, type MentionRow, type StatusRow } from '../../domain/social/statuses.ts';
import { isNamed, requireTag, type TagRow } from '../../domain/social/tags.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { seesAllOfTag } from '../../domain/visibility/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';

/** How many statuses a profile shows. */
const shown_statuses = 10;

/** The tag of a profile that a viewer may open. @throws ApiError `not_found` */
export function requireProfileTag(db: Queryable, name: string, viewer: Viewer): Promise<TagRow> {
  return requireTag(db, isNamed(name.toLowerCase(), viewer.now), viewer);
}

/** How many statuses of a tag the viewer's class sees, and whether that class sees all. */
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
 * The latest statuses of a tag that a viewer may see, less those that an operator has hidden, which no count holds.
 * Naming the class of those who see only public ones lets the index of public statuses be used.
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

export type NewComment = { tag_id: string; body: string; mentions: MentionRow[] };

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
