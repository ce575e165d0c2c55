import { selectRooms } from '../../domain/calls/lasting-rooms.ts';
import { type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** Room `r` is that of a tag. */
export const ofTag = (tag_id: string): Sql => sql`r.tag_id = ${tag_id}`;

/** Room `r` is that of a group. */
export const ofGroup = (group_id: string): Sql => sql`r.group_id = ${group_id}`;

/** The rooms of a person's tags, of the tags that they follow and of their groups, if they may enter them. */
export function selectRoomsOf(db: Queryable, viewer_id: string, page: Page): ReturnType<typeof selectRooms> {
  const mine = sql`
    select r.id from lasting_rooms r join tags t on t.id = r.tag_id where t.owner_id = ${viewer_id}
    union all select r.id from lasting_rooms r join follows f on f.tag_id = r.tag_id where f.follower_id = ${viewer_id}
    union all select r.id from lasting_rooms r join groups g on g.id = r.group_id where g.owner_id = ${viewer_id}
    union all select r.id from lasting_rooms r join group_invites i on i.group_id = r.group_id
      where i.user_id = ${viewer_id} and i.state = 'accepted'`;
  return selectRooms(db, sql`r.id in (${mine}) ${pageOf(page, 'r.id')}`, viewer_id);
}
