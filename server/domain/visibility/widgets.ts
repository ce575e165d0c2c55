/** Visibility of widget chats. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { mayOpenGroup } from './groups.ts';
import { isSuspended } from './people.ts';
import type { ViewerId } from './viewer.ts';

/** Widget `w` is on: enabled and not deleted, nor its tag, and its owner neither deleted nor suspended. */
export const isWidgetOn: Sql = sql`(w.enabled and w.deleted_at is null
  and exists (select 1 from tags t where t.id = w.tag_id and t.deleted_at is null and t.hidden_at is null)
  and exists (select 1 from users u where u.id = w.owner_id and u.deleted_at is null and u.suspended_at is null))`;

/**
 * The viewer is an agent of widget `w`, who reads and answers its guests: its owner, and those who may open the group
 * that it is shared with.
 */
export const isWidgetAgent = (
  viewer_id: ViewerId,
): Sql => sql`(w.deleted_at is null and (w.owner_id = ${viewer_id} or exists (
  select 1 from groups g join users u on u.id = g.owner_id where g.id = w.group_id and ${mayOpenGroup(viewer_id)})))`;

/**
 * The viewer may read message `m` of a widget: a guest their own conversation and the notices while the widget is on;
 * its agents everything except what a block hides.
 */
export const mayReadWidgetMessage = (viewer_id: ViewerId): Sql => sql`(
  not ${viewer_id} = any(m.hidden_from) and not ${isSuspended('m.author_id')} and exists (
    select 1 from widgets w where w.id = m.widget_id and (${isWidgetAgent(viewer_id)} or (${isWidgetOn} and exists (
      select 1 from guests gu where gu.id = ${viewer_id} and gu.widget_id = w.id
        and gu.created_at >= w.guests_since and (m.guest_id is null or m.guest_id = gu.id))))))`;
