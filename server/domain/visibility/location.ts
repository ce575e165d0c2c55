/** Visibility of positions. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { follows, hasAsContact, mayReach } from './people.ts';
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

/**
 * The owner of a position may know that a person with whom they share it has seen it: the owner selected them, they
 * follow the owner, or they let the owner find them. Otherwise somebody who shares with their contacts would learn from the
 * log of views which of the numbers and addresses in their book belong to whom. Both are columns or parameters.
 */
export const mayNameViewer = (owner_id: ViewerId, viewer_id: ViewerId): Sql => sql`(
  exists (
    select 1 from location_viewers lv where lv.owner_id = ${owner_id} and lv.viewer_id = ${viewer_id} ${row_by_row})
  or ${follows(viewer_id, owner_id, row_by_row)}
  or exists (select 1 from users u where u.id = ${viewer_id} and ${mayReach(owner_id, 'find')} ${row_by_row}))`;
