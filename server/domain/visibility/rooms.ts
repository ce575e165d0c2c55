/** Visibility of lasting rooms. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { mayOpenGroup } from './groups.ts';
import { followsTag, mayOpenTag } from './tags.ts';
import type { ViewerId } from './viewer.ts';

/** The owner of lasting room `r`. */
export const roomOwner: Sql = sql`coalesce(
  (select t.owner_id from tags t where t.id = r.tag_id), (select g.owner_id from groups g where g.id = r.group_id))`;

/** The owner of the event or lasting room in which call `c` takes place; null for any other call. */
export const placeOwner: Sql = sql`coalesce((select e.owner_id from calendar_events e where e.id = c.event_id),
  (select ${roomOwner} from lasting_rooms r where r.id = c.room_id))`;

/**
 * The viewer may see and enter lasting room `r`: for a group, everybody who may open it; for a tag, its owner, and
 * those who may open the tag as far as the room's privacy allows.
 */
export const mayEnterRoom = (viewer_id: ViewerId): Sql => sql`(
  exists (select 1 from tags t join users u on u.id = t.owner_id
    where t.id = r.tag_id and ${mayOpenTag(viewer_id)} and (t.owner_id = ${viewer_id} or r.privacy = 'public'
      or (r.privacy = 'followers' and ${followsTag(viewer_id)})))
  or exists (select 1 from groups g join users u on u.id = g.owner_id
    where g.id = r.group_id and ${mayOpenGroup(viewer_id)}))`;

/** Lasting room `r` admits guests and its owner `u` is active: the holder of its link may see it. */
export const roomAdmitsGuests: Sql = sql`(r.guests <> 'off' and u.suspended_at is null and u.deleted_at is null
  and not exists (select 1 from tags t where t.id = r.tag_id and (t.deleted_at is not null or t.hidden_at is not null))
  and not exists (select 1 from groups g where g.id = r.group_id and g.deleted_at is not null))`;
