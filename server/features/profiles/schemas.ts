import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../domain/accounts.ts';
import type { LiveRow } from '../../domain/conferences.ts';
import { Mention, Status, type MentionRow } from '../../domain/statuses.ts';
import { Tag, TagName } from '../../domain/tags.ts';
import { sql } from '../../kernel/database.ts';
import { component, idOf, moment, object, optional, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

/** A profile is called by its tag's name, or by the name that it had until lately. */
export const ProfilePath = object({ xtag: TagName });

export const CommentBody = Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Not blank.' });

export const Live = component(
  'Live',
  object({
    live: Type.Boolean(),
    join_code: optional(Type.String()),
    participant_count: optional(Type.Integer({ minimum: 0, description: 'Who is in or on the way in.' })),
    started_at: optional(moment),
  }),
);

export const Profile = component(
  'Profile',
  object({
    tag: Tag,
    owner: PublicUser,
    follower_count: Type.Integer({ minimum: 0 }),
    status_count: Type.Integer({ minimum: 0, description: 'Those that you may see.' }),
    statuses: Type.Array(Status, { description: 'The latest 10 that you may see.' }),
    live: Live,
    comments_open: Type.Boolean(),
  }),
);

export const Comment = component(
  'Comment',
  object({
    id: idOf('cmt'),
    tag_id: idOf('tag'),
    author: PublicUser,
    body: Type.String(),
    mentions: Type.Array(Mention),
    created_at: moment,
  }),
);

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

/** A comment as those who may see its profile see it. */
export function presentComment(row: CommentRow, public_url: string): Static<typeof Comment> {
  return {
    id: row.id,
    tag_id: row.tag_id,
    author: presentUser(row.author, public_url),
    body: row.body,
    mentions: row.mentions,
    created_at: wireTime(row.created_at),
  };
}

/** Whether somebody is in a public call, and which. */
export function presentLive(row: LiveRow | undefined): Static<typeof Live> {
  if (!row) return { live: false };
  const { join_code, participant_count, started_at } = row;
  return { live: true, join_code, participant_count, started_at: wireTime(started_at) };
}
