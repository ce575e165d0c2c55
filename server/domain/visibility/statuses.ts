/** Visibility of statuses. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { areNotBlocked } from './people.ts';
import type { ViewerId } from './viewer.ts';

/** The viewer follows the stream of status `s`: its tag, or without one any tag of its author. */
const followsStream = (viewer_id: ViewerId): Sql => sql`(
  exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.tag_id = s.tag_id)
  or (s.tag_id is null and exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.owner_id = s.author_id)))`;

/** The viewer may see status `s` of author `u`, with its tag `t` left-joined. */
export const maySeeStatus = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and (s.author_id = ${viewer_id} and s.deleted_at is null or (
    s.hidden_at is null and t.hidden_at is null and u.suspended_at is null and u.deleted_at is null
    and ${areNotBlocked(viewer_id, 's.author_id')}
    and ((s.visibility = 'public' and (t.id is null or t.visibility <> 'private')) or ${followsStream(viewer_id)})))`;
