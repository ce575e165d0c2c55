import { tag_columns, type TagRow } from '../../domain/tags.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database.ts';
import { escapePattern, matchSpelling } from '../../kernel/spelling.ts';

/** What of tag `t` is searched, as it stands in the index `tags_search`. */
export const searched = sql`(t.name || ' ' || t.title)`;

/** Whether tag `t` holds what was typed, in lower case, or nearly so. */
export const matchTag = (typed: string): Sql =>
  sql`(${searched} ilike ${`%${escapePattern(typed)}%`} or ${matchSpelling(searched, typed)})`;

export type NewTag = Omit<TagRow, 'owner' | 'follower_count'>;

/**
 * Makes a tag while its owner has fewer than the plan allows; undefined when not. The owner's row is locked by a
 * statement of its own, because the one that counts must see what was made while it waited; both travel together.
 */
export async function insertTag(
  db: Queryable,
  tag: NewTag,
  owner_id: string,
  allowed: number,
): Promise<TagRow | undefined> {
  const locked = db.run(sql`select 1 from users where id = ${owner_id} for no key update`);
  const made = db.maybe<TagRow>(sql`
    with made as (
      insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
      select ${tag.id}, ${tag.name}, ${owner_id}, ${tag.title}, ${tag.description}, ${tag.visibility}, ${tag.follow_policy}, ${tag.created_at}::timestamptz
      where (select count(*) from tags where owner_id = ${owner_id} and deleted_at is null) < ${allowed}::int
      returning *)
    select ${tag_columns} from made t join users u on u.id = t.owner_id`);
  await Promise.all([locked, made]);
  return made;
}
