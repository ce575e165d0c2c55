/** Visibility of tags. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { areNotBlocked } from './people.ts';
import type { ViewerId } from './viewer.ts';

/** The viewer follows tag `t`. */
export const followsTag = (viewer_id: ViewerId): Sql =>
  sql`exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.tag_id = t.id)`;

/**
 * The viewer sees every status of a tag `t` that they may open, as its owner or a follower. Others see only public
 * ones.
 */
export const seesAllOfTag = (viewer_id: ViewerId): Sql => sql`(t.owner_id = ${viewer_id} or ${followsTag(viewer_id)})`;

/** The viewer may open tag `t` when they know its name or identifier, if its owner is not suspended. */
export const mayOpenTagOfActive = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and (t.owner_id = ${viewer_id} or (
    t.hidden_at is null and ${areNotBlocked(viewer_id, 't.owner_id')}
    and (t.visibility <> 'private' or ${followsTag(viewer_id)})))`;

/**
 * The viewer may open tag `t` of owner `u` when they know its name or identifier. The condition of the owner is on its
 * own: as a part of the other one, the planner would check both once for the tag and once more for its owner.
 */
export const mayOpenTag = (viewer_id: ViewerId): Sql =>
  sql`(t.owner_id = ${viewer_id} or u.suspended_at is null) and ${mayOpenTagOfActive(viewer_id)}`;

/** The viewer may find tag `t` of owner `u` in lists and searches. */
export const mayListTag = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and t.visibility = 'public' and (t.hidden_at is null or t.owner_id = ${viewer_id})
  and u.suspended_at is null and ${areNotBlocked(viewer_id, 't.owner_id')}`;
