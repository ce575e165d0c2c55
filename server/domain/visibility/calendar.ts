/** Visibility of calendar events. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { maySeeUser } from './people.ts';
import { row_by_row, type ViewerId } from './viewer.ts';

/** Event `e` is shared with the viewer. */
export const isGuestOf = (viewer_id: ViewerId): Sql => sql`
  exists (select 1 from calendar_guests c where c.event_id = e.id and c.user_id = ${viewer_id} ${row_by_row})`;

/** The viewer may see calendar event `e` of owner `u`: as its owner, or because it is shared with them. */
export const maySeeEvent = (viewer_id: ViewerId): Sql => sql`(
  e.owner_id = ${viewer_id} or (${maySeeUser(viewer_id)} and ${isGuestOf(viewer_id)}))`;
