import { LastingRoom, presentRoom, selectRooms } from '../../domain/calls/lasting-rooms.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listRooms = endpoint({
  id: 'listRooms',
  route: 'GET /rooms',
  summary: 'List lasting rooms',
  description: 'The rooms you may join, of your tags, the tags you follow and your groups; newest first.',
  extension: true,
  query: PageQuery('room'),
  reply: listOf(LastingRoom),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const mine = sql`
      select r.id from lasting_rooms r join tags t on t.id = r.tag_id where t.owner_id = ${viewer.id}
      union all select r.id from lasting_rooms r join follows f on f.tag_id = r.tag_id where f.follower_id = ${viewer.id}
      union all select r.id from lasting_rooms r join groups g on g.id = r.group_id where g.owner_id = ${viewer.id}
      union all select r.id from lasting_rooms r join group_invites i on i.group_id = r.group_id
        where i.user_id = ${viewer.id} and i.state = 'accepted'`;
    const rows = await selectRooms(db, sql`r.id in (${mine}) ${pageOf(query, 'r.id')}`, viewer.id);
    return toPage(rows, query, (row) => presentRoom(row, viewer));
  },
});
