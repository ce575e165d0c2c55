/** Visibility of groups and their chats. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { isSuspended, maySeeUser } from './people.ts';
import { row_by_row, type ViewerId } from './viewer.ts';

/** The viewer is a member of group `g`. */
const isInGroup = (viewer_id: ViewerId): Sql => sql`
  exists (select 1 from group_invites i where i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted' ${row_by_row})`;

/** The viewer may open group `g` of owner `u`: its owner and its members. */
export const mayOpenGroup = (viewer_id: ViewerId): Sql => sql`
  g.deleted_at is null and (g.owner_id = ${viewer_id} or (${maySeeUser(viewer_id)} and ${isInGroup(viewer_id)}))`;

/**
 * The viewer could read message `m` of a group before they cleared it: they are a member and were when it was written, and no
 * block separated them from its author then. What a block has hidden stays hidden after the block ends. For statements that
 * begin after what they have cleared, as `GroupMembership.since_id` does.
 */
export const couldReadGroupMessage = (viewer_id: ViewerId): Sql => sql`(
  not ${viewer_id} = any(m.hidden_from) and not ${isSuspended('m.author_id')} and exists (
    select 1 from groups g join users u on u.id = g.owner_id
    where g.id = m.group_id and g.deleted_at is null and (g.owner_id = ${viewer_id} or (${maySeeUser(viewer_id)} and exists (
      select 1 from group_invites i
      where i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted' and m.created_at >= i.decided_at)))))`;

/** The viewer may read message `m` of a group, and has not cleared it for themselves. */
export const mayReadGroupMessage = (viewer_id: ViewerId): Sql => sql`(
  ${couldReadGroupMessage(viewer_id)} and m.id > coalesce((
    select r.cleared_up_to from group_chat_reads r where r.group_id = m.group_id and r.user_id = ${viewer_id}), ''))`;

/** The viewer may know the name of group `g` of owner `u`: its owner, its members, and those invited to it. */
export const mayNameGroup = (viewer_id: ViewerId): Sql => sql`
  g.deleted_at is null and (g.owner_id = ${viewer_id} or (${maySeeUser(viewer_id)} and exists (
    select 1 from group_invites i
    where i.group_id = g.id and i.user_id = ${viewer_id} and i.state in ('pending', 'accepted'))))`;
