/** Comments on profiles: their schema and visibility. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, object, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { Mentions, type MentionRow } from './mentions.ts';
import { maySeeUser } from '../visibility/people.ts';
import { mayOpenTag } from '../visibility/tags.ts';
import type { AnyViewer, ViewerId } from '../visibility/viewer.ts';

export const Comment = component(
  'Comment',
  object({
    id: idOf('cmt'),
    tag_id: idOf('tag'),
    author: PublicUser,
    body: Type.String(),
    mentions: Mentions,
    created_at: moment,
  }),
);

/** The columns of a comment. */
export type CommentRow = {
  id: string;
  tag_id: string;
  author: PublicUserRow;
  body: string;
  mentions: MentionRow[];
  created_at: Date;
};

/** The columns of CommentRow, over `comments c join users u`. */
export const comment_columns = sql`c.id, c.tag_id, c.body, c.mentions, c.created_at, ${publicUserJson('u')} as author`;

/** A comment as presented to those who may see its profile. */
export function presentComment(row: CommentRow, viewer: AnyViewer): Static<typeof Comment> {
  return {
    id: row.id,
    tag_id: row.tag_id,
    author: presentUser(row.author, viewer),
    body: row.body,
    mentions: row.mentions,
    created_at: wireTime(row.created_at),
  };
}

export const commentPosted = event(
  'comment.posted',
  'A new comment on one of your profiles, or your own comment.',
  object({ comment: Comment }),
);
export const commentDeleted = event(
  'comment.deleted',
  'A comment on one of your profiles, or your own comment, was deleted.',
  object({ id: idOf('cmt'), tag_id: idOf('tag') }),
);

/** Whether a viewer may see comment `c` of author `a` on tag `t` of owner `u`. */
export const maySeeComment = (viewer_id: ViewerId): Sql =>
  sql`(c.hidden_at is null and ${mayOpenTag(viewer_id)} and ${maySeeUser(viewer_id, 'a')})`;
