/** Visibility of positions. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { follows, hasAsContact } from './people.ts';
import { row_by_row, type ViewerId } from './viewer.ts';

/**
 * Person `u`, whose settings are `ls`, shares their position with the viewer: with selected people, with followers, or
 * with contacts. Public positions are on the map of those as well, and can be discovered by others.
 */
export const sharesLocationWith = (viewer_id: ViewerId): Sql => sql`
  case ls.mode
    when 'selected' then exists (
      select 1 from location_viewers lv where lv.owner_id = u.id and lv.viewer_id = ${viewer_id} ${row_by_row})
    when 'followers' then ${follows(viewer_id, sql`u.id`, row_by_row)}
    when 'contacts' then ${hasAsContact(sql`u.id`, viewer_id)}
    when 'public' then (${follows(viewer_id, sql`u.id`, row_by_row)} or ${hasAsContact(sql`u.id`, viewer_id)})
    else false
  end`;
