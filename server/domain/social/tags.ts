/** Tags: the public names of a user. Their schema and visibility. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { found, fail } from '../../kernel/errors.ts';
import { component, expected_key, idOf, moment, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectWithLabels, type LabelledRow } from '../accounts/account-labels.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { File, filesOf, presentFile, type FileRow } from '../files/files.ts';
import { followsTag, mayOpenTag, mayOpenTagOfActive } from '../visibility/tags.ts';
import { row_by_row, type Viewer } from '../visibility/viewer.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** Who may see a tag: everybody; everybody who knows its name; its followers. */
export const visibility_values = ['public', 'unlisted', 'private'] as const;
/** Whether a follow takes effect at once, or once the owner has approved it. */
export const follow_policies = ['open', 'approval'] as const;

export const Tag = component(
  'Tag',
  object({
    id: idOf('tag'),
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    visibility: oneOf(...visibility_values),
    follow_policy: oneOf(...follow_policies),
    owner: PublicUser,
    media: Type.Array(File, { maxItems: default_limits.tag_media }),
    follower_count: Type.Integer({ minimum: 0 }),
    following: Type.Boolean(),
    requested: Type.Boolean({ description: 'Whether your follow request is pending.' }),
    comments_open: Type.Boolean({ description: 'Whether others may comment on its profile.' }),
    is_mine: Type.Boolean(),
    created_at: moment,
  }),
);

/** A tag where it is only mentioned. */
export const TagLabel = component('TagLabel', object({ id: idOf('tag'), name: Type.String(), title: Type.String() }));

/** A tag as one viewer sees it. */
export type TagRow = {
  id: string;
  name: string;
  title: string;
  description: string;
  visibility: (typeof visibility_values)[number];
  follow_policy: (typeof follow_policies)[number];
  owner: PublicUserRow;
  media: FileRow[];
  follower_count: number;
  following: boolean;
  requested: boolean;
  comments_open: boolean;
  created_at: Date;
};

/** How long the name of a deleted or renamed tag stays reserved, in seconds. */
export const name_hold_s = 30 * 24 * 60 * 60;

/** As typed: upper case is folded. A sigil is not part of a name. */
export const TagName = Type.String({
  pattern: '^[A-Za-z0-9_-]{2,32}$',
  description: '2 to 32 of a-z 0-9 _ - without the sigil (upper case is folded).',
  [expected_key]: '2 to 32 letters a–z, digits, _ or -',
});

/** The columns of a tag `t` that are in its own row. */
const row_columns = sql`
  t.id, t.name, t.title, t.description, t.visibility, t.follow_policy, t.follower_count, t.comments_open, t.created_at`;

const columns = sql`${row_columns}, ${publicUserJson('u')} as owner, ${filesOf('t')} as media`;

/** How a viewer follows tag `t`. */
const followColumns = (viewer: Viewer): Sql => sql`
  ${followsTag(viewer.id)} as following,
  exists (select 1 from follow_requests r where r.user_id = ${viewer.id} and r.tag_id = t.id
    and r.state in ('pending', 'declined') and r.expires_at > ${viewer.now} ${row_by_row}) as requested`;

/** The columns of TagRow as a viewer sees them, over `tags t join users u`. */
export const tagColumns = (viewer: Viewer): Sql => sql`${columns}, ${followColumns(viewer)}`;

/** The columns of TagRow as the owner sees them, who cannot follow their own tag. */
export const own_tag_columns = sql`${columns}, false as following, false as requested`;

/** A tag as a viewer sees it. */
export function presentTag(row: TagRow, viewer: Viewer): Static<typeof Tag> {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    follow_policy: row.follow_policy,
    owner: presentUser(row.owner, viewer),
    media: row.media.map((file) => presentFile(file, viewer)),
    follower_count: row.follower_count,
    following: row.following,
    requested: row.requested,
    comments_open: row.comments_open,
    is_mine: row.owner.id === viewer.id,
    created_at: wireTime(row.created_at),
  };
}

/** The label of a tag. */
export function presentTagLabel({ id, name, title }: Pick<TagRow, 'id' | 'name' | 'title'>): Static<typeof TagLabel> {
  return { id, name, title };
}

/** A tag that a viewer may open. @throws ApiError `not_found` */
export const requireTag = (db: Queryable, id: string, viewer: Viewer): Promise<TagRow> =>
  requireTagWhere(db, sql`t.id = ${id}`, viewer);

/**
 * A tag for its page, which is read most often: like `requireTag`, but with cached labels of its owner, and files are read
 * only if there are any.
 * @throws ApiError `not_found`
 */
export async function readTag(db: Queryable, id: string, viewer: Viewer): Promise<TagRow> {
  type Row = Omit<TagRow, 'owner' | 'media'> & LabelledRow & { owner_id: string; media_count: number };
  const { rows, labels } = await selectWithLabels(
    db,
    viewer.services,
    (column) =>
      db.many<Row>(sql`
        select ${row_columns}, t.owner_id, t.media_count, ${followColumns(viewer)}, ${column}
        from tags t where t.id = ${id} and ${mayOpenTagOfActive(viewer.id)}`),
    ({ owner_id }) => owner_id,
  );
  const row = found(rows[0]);
  const owner = found(labels.get(row.owner_id));
  if (owner.is_suspended && owner.id !== viewer.id) fail('not_found');
  if (row.media_count === 0) return { ...row, owner, media: [] };
  const { media } = await db.one<Pick<TagRow, 'media'>>(
    sql`select ${filesOf('t')} as media from tags t where t.id = ${id}`,
  );
  return { ...row, owner, media };
}

/** A tag of the caller. @throws ApiError `not_found`, `forbidden` */
export async function requireOwnTag(db: Queryable, id: string, viewer: Viewer): Promise<TagRow> {
  const tag = await requireTag(db, id, viewer);
  if (tag.owner.id !== viewer.id) fail('forbidden');
  return tag;
}

/** The tag with a name, in whatever case, that a viewer may open. @throws ApiError `not_found` */
export const requireTagByName = (db: Queryable, name: string, viewer: Viewer): Promise<TagRow> =>
  requireTagWhere(db, isNamed(name.toLowerCase(), viewer.now), viewer);

async function requireTagWhere(db: Queryable, which: Sql, viewer: Viewer): Promise<TagRow> {
  return found(
    await db.maybe<TagRow>(sql`
      select ${tagColumns(viewer)} from tags t join users u on u.id = t.owner_id
      where ${which} and ${mayOpenTag(viewer.id)}`),
  );
}

/**
 * Locks a tag until the end of the transaction, so that nothing is created under a tag while it is deleted. A separate
 * statement, so that the following lookup of the tag sees what was committed while this one waited for the lock.
 */
export async function lockTag(db: Queryable, id: string): Promise<void> {
  await db.run(sql`select 1 from tags where id = ${id} for key share`);
}

/** A tag by its name, or by its recent former name. `name` is already folded. */
export const isNamed = (name: string, now: Date): Sql => sql`t.id = coalesce(
  (select n.id from tags n where n.name = ${name} and n.deleted_at is null),
  (select h.tag_id from held_tag_names h where h.name = ${name} and h.held_until > ${now}))`;

/**
 * Reserves a name for the tag that had it. Of one account only the newest names stay reserved, so that nobody collects
 * names by renaming a tag again and again.
 */
export async function reserveName(
  db: Queryable,
  { name, id, owner_id }: { name: string; id: string; owner_id: string },
  held_until: Date,
): Promise<void> {
  await db.run(sql`
    insert into held_tag_names (name, tag_id, owner_id, held_until) values (${name}, ${id}, ${owner_id}, ${held_until})
    on conflict (name) do update
      set tag_id = excluded.tag_id, owner_id = excluded.owner_id, held_until = excluded.held_until`);
  await db.run(sql`
    delete from held_tag_names where name = any(array(
      select name from held_tag_names where owner_id = ${owner_id}
      order by held_until desc, name offset ${default_limits.held_tag_names}::int))`);
}
