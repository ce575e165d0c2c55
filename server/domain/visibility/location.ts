/** Who sees the position of a person. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { follows, hasAsContact } from './people.ts';
import { one_by_one, type ViewerId } from './viewer.ts';

/**
 * Person `u`, whose settings are `ls`, shows their position to the viewer: to those they selected, to followers, to their
 * contacts; one who shows it to everybody stands on the map of those two, and is discovered by others.
 */
export const sharesLocationWith = (viewer_id: ViewerId): Sql => sql`
  case ls.mode
    when 'selected' then exists (
      select 1 from location_viewers lv where lv.owner_id = u.id and lv.viewer_id = ${viewer_id} ${one_by_one})
    when 'followers' then ${follows(viewer_id, sql`u.id`, one_by_one)}
    when 'contacts' then ${hasAsContact(sql`u.id`, viewer_id)}
    when 'public' then (${follows(viewer_id, sql`u.id`, one_by_one)} or ${hasAsContact(sql`u.id`, viewer_id)})
    else false
  end`;
