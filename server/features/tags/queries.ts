import type { TagRow } from '../../domain/tags.ts';
import { sql, type Queryable } from '../../kernel/database.ts';

/**
 * Makes a tag while its owner has fewer than the plan allows; undefined when not. One statement: the owner's row is
 * locked while it counts, so that two at once cannot both take the last place.
 */
export async function insertTag(db: Queryable, tag: Omit<TagRow, 'owner' | 'follower_count'>, owner_id: string, allowed: number): Promise<TagRow | undefined> {
  return db.maybe<TagRow>(sql`
    with u as (select id, username, display_name, avatar_key from users where id = ${owner_id} and deleted_at is null for update),
    made as (
      insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
      select ${tag.id}, ${tag.name}, u.id, ${tag.title}, ${tag.description}, ${tag.visibility}, ${tag.follow_policy}, ${tag.created_at}::timestamptz
      from u where (select count(*) from tags where owner_id = u.id and deleted_at is null) < ${allowed}::int
      returning *)
    select t.id, t.name, t.title, t.description, t.visibility, t.follow_policy, t.follower_count, t.created_at,
           to_json(u) as owner
    from made t, u`);
}
