/** Statuses: posts to a tag's followers. Their schema and visibility. */
import { raw, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { found } from '../../kernel/errors.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { File, filesOf, presentFile, type FileRow } from '../files/files.ts';
import { Mentions, type MentionRow } from './mentions.ts';
import { TagLabel } from './tags.ts';
import { maySeeStatus } from '../visibility/statuses.ts';
import type { Viewer } from '../visibility/viewer.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** Who sees a status: everybody who sees its tag, or only its followers. */
export const status_visibilities = ['public', 'followers'] as const;
/** Who may see a status. */
export type StatusVisibility = (typeof status_visibilities)[number];

export const Status = component(
  'Status',
  object({
    id: idOf('post'),
    author: PublicUser,
    tag: nullable(TagLabel),
    body: Type.String(),
    mentions: Mentions,
    media: Type.Array(File, { maxItems: default_limits.status_media }),
    visibility: oneOf(...status_visibilities),
    reply_count: Type.Integer({ minimum: 0 }),
    like_count: Type.Integer({ minimum: 0 }),
    liked: Type.Boolean({ description: 'Whether you like it; always false in realtime events.' }),
    edits: optional(
      Type.Array(object({ body: Type.String({ maxLength: 2000 }), replaced_at: moment }), {
        maxItems: default_limits.status_edits,
        description: `Earlier versions, for its author only, oldest first: the original and the latest. Up to ${default_limits.status_edits}; in lists up to ${default_limits.status_edits_listed}.`,
      }),
    ),
    edit_count: optional(
      Type.Integer({ minimum: 0, description: 'How often its text was edited; for its author only.' }),
    ),
    edited_at: nullable(moment),
    created_at: moment,
  }),
);

export const statusPosted = event(
  'status.posted',
  'A new status of a tag you follow, or your own from another device. Its media addresses are not signed for you: refresh them when they are rejected.',
  object({ status: Status }),
);
export const statusUpdated = event('status.updated', 'A status was edited.', object({ status: Status }));
export const statusDeleted = event('status.deleted', 'A status is gone.', object({ id: idOf('post') }));

export const replyDeleted = event(
  'reply.deleted',
  'A reply to one of your statuses, or your own reply, was deleted.',
  object({ id: idOf('reply'), post_id: idOf('post') }),
);

/** A status as one viewer sees it. */
export type StatusRow = {
  id: string;
  author: PublicUserRow;
  tag: Static<typeof TagLabel> | null;
  stream_id: string;
  /** Hidden by an operator, itself or through its tag: only its author sees it. */
  hidden: boolean;
  body: string;
  mentions: MentionRow[];
  media: FileRow[];
  visibility: StatusVisibility;
  reply_count: number;
  like_count: number;
  liked: boolean;
  edits?: { body: string; replaced_at: string }[] | null;
  edit_count?: number | null;
  edited_at: Date | null;
  created_at: Date;
};

/**
 * The columns of StatusRow as a viewer sees them, over `statuses s join users u left join tags t`. Replies by blocked
 * people are counted distinct, since two people who block each other have two rows in `blocked_pairs`.
 */
export const statusColumns = (viewer: Viewer): Sql => sql`
  ${publicUserJson('u')} as author,
  case when t.id is null then null else json_build_object('id', t.id, 'name', t.name, 'title', t.title) end as tag,
  ${otherColumns(viewer)}`;

/** All columns except author and tag. */
const otherColumns = (viewer: Viewer): Sql => sql`
  s.id, s.stream_id, coalesce(s.hidden_at, t.hidden_at) is not null as hidden,
  s.body, s.mentions, s.visibility, s.edited_at, s.created_at,
  ${filesOf('s')} as media, s.like_count, ${personalStatusColumns(viewer)}`;

/** The columns of a status that depend on the viewer, besides file addresses. */
export const personalStatusColumns = (viewer: Viewer): Sql => sql`
  s.like_count > 0 and exists (
    select 1 from status_likes l where l.status_id = s.id and l.user_id = ${viewer.id}) as liked,
  case when s.reply_count = 0 then 0 else s.reply_count - (
    select count(distinct r.id) from blocked_pairs join replies r on r.status_id = s.id and r.author_id = blocked_pairs.other_id
      and r.hidden_at is null and not r.author_suspended
    where blocked_pairs.user_id = ${viewer.id})::int end as reply_count`;

/**
 * A status with its author and tag as plain columns, for long lists: thirty JSON objects of each cost more than thirty
 * rows.
 */
export const wideStatusColumns = (viewer: Viewer): Sql => sql`
  u.id as author_id, u.username, u.display_name, u.avatar_key, t.id as tag_id, t.name as tag_name, t.title as tag_title,
  ${otherColumns(viewer)}`;

/** A row of wideStatusColumns. */
export type WideStatusRow = Omit<StatusRow, 'author' | 'tag' | 'edits' | 'edit_count'> &
  Omit<PublicUserRow, 'id'> & { author_id: string; tag_id: string | null; tag_name: string; tag_title: string };

/** Converts a row of wideStatusColumns. Field by field, since object rest is slower. */
export function toStatusRow(row: WideStatusRow): StatusRow {
  const { author_id, username, display_name, avatar_key, tag_id, tag_name, tag_title } = row;
  return {
    id: row.id,
    author: { id: author_id, username, display_name, avatar_key },
    tag: tag_id === null ? null : { id: tag_id, name: tag_name, title: tag_title },
    stream_id: row.stream_id,
    hidden: row.hidden,
    body: row.body,
    mentions: row.mentions,
    media: row.media,
    visibility: row.visibility,
    reply_count: row.reply_count,
    like_count: row.like_count,
    liked: row.liked,
    edited_at: row.edited_at,
    created_at: row.created_at,
  };
}

/** The tables of statusColumns. */
export const from_statuses = sql`statuses s join users u on u.id = s.author_id left join tags t on t.id = s.tag_id`;

/** Columns for the author: the first and latest earlier versions of a status, and the number of edits. */
export const editsColumns = (shown: number): Sql => sql`
  case when s.edited_at is null then null else (
    select json_agg(json_build_object('body', e.body, 'replaced_at', e.replaced_at) order by e.number)
    from status_edits e where e.status_id = s.id and (e.number = 0 or e.number > (
      select max(last.number) from status_edits last where last.status_id = s.id) - ${shown - 1}::int)) end as edits,
  case when s.edited_at is null then null else (
    select max(e.number) + 1 from status_edits e where e.status_id = s.id) end as edit_count`;

/** A status without the columns for its author. */
export const withoutEdits = (row: StatusRow): StatusRow => ({ ...row, edits: null, edit_count: null });

/** A status as a viewer sees it. */
export function presentStatus(row: StatusRow, viewer: Viewer): Static<typeof Status> {
  return {
    id: row.id,
    author: presentUser(row.author, viewer),
    tag: row.tag,
    body: row.body,
    mentions: row.mentions,
    media: row.media.map((file) => presentFile(file, viewer)),
    visibility: row.visibility,
    reply_count: row.reply_count,
    like_count: row.like_count,
    liked: row.liked,
    ...(row.edits
      ? { edits: row.edits.map((one) => ({ ...one, replaced_at: wireTime(new Date(one.replaced_at)) })) }
      : {}),
    ...(row.edit_count ? { edit_count: row.edit_count } : {}),
    edited_at: wireTimeOrNull(row.edited_at),
    created_at: wireTime(row.created_at),
  };
}

/** A status that a viewer may see. @throws ApiError `not_found` */
export async function requireStatus(db: Queryable, id: string, viewer: Viewer): Promise<StatusRow> {
  return found(
    await db.maybe<StatusRow>(sql`
      select ${statusColumns(viewer)} from ${from_statuses} where s.id = ${id} and ${maySeeStatus(viewer.id)}`),
  );
}

/** Whether a person `m`, or that of another column, may see a status. */
export const mentionedMaySee = (status_id: string, column = 'm.id'): Sql => sql`exists (
  select 1 from ${from_statuses} where s.id = ${status_id} and ${maySeeStatus(raw(column))})`;
