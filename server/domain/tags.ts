/** Tags: a user's public addresses. Their shape, and who may see which. */
import { sql, type Sql } from '../kernel/database.ts';
import { component, idOf, moment, object, oneOf, Type, type Static } from '../kernel/schema.ts';
import { wireTime } from '../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from './accounts.ts';

export const Tag = component(
  'Tag',
  object({
    id: idOf('tag'),
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    visibility: oneOf('public', 'unlisted', 'private'),
    follow_policy: oneOf('open', 'approval'),
    owner: PublicUser,
    media: Type.Array(Type.Never()),
    follower_count: Type.Integer({ minimum: 0 }),
    following: Type.Boolean(),
    is_mine: Type.Boolean(),
    created_at: moment,
  }),
);

export type TagRow = {
  id: string;
  name: string;
  title: string;
  description: string;
  visibility: 'public' | 'unlisted' | 'private';
  follow_policy: 'open' | 'approval';
  owner: PublicUserRow;
  follower_count: number;
  created_at: Date;
};

/** As typed: upper case is folded. A sigil is not part of a name. */
export const TagName = Type.String({
  pattern: '^[A-Za-z0-9_-]{2,32}$',
  description: '2 to 32 of a-z 0-9 _ - without the sigil (upper case is folded).',
});

/** The columns of TagRow, over `tags t join users u`. */
export const tag_columns = sql`
  t.id, t.name, t.title, t.description, t.visibility, t.follow_policy, t.follower_count, t.created_at,
  ${publicUserJson('u')} as owner`;

/** Who may see tag `t` when they know its name or identifier. */
export const mayOpenTag = (viewer_id: string): Sql =>
  sql`t.deleted_at is null and (t.visibility <> 'private' or t.owner_id = ${viewer_id})`;

/** Who may come upon tag `t` without knowing it. */
export const mayListTag = (viewer_id: string): Sql => sql`${mayOpenTag(viewer_id)} and t.visibility = 'public'`;

/** A tag as a viewer sees it. */
export function presentTag(row: TagRow, viewer_id: string, public_url: string): Static<typeof Tag> {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    follow_policy: row.follow_policy,
    owner: presentUser(row.owner, public_url),
    media: [],
    follower_count: row.follower_count,
    following: false,
    is_mine: row.owner.id === viewer_id,
    created_at: wireTime(row.created_at),
  };
}
