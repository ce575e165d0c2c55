import { LastingRoom, presentRoom } from '../../domain/calls/lasting-rooms.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectRoomsOf } from './queries.ts';

export const listRooms = endpoint({
  id: 'listRooms',
  route: 'GET /rooms',
  summary: 'List your lasting rooms',
  description: 'The rooms you may join, of your tags, the tags you follow and your groups; newest first.',
  extension: true,
  query: PageQuery('room'),
  reply: listOf(LastingRoom),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectRoomsOf(db, viewer.id, query);
    return toPage(rows, query, (row) => presentRoom(row, viewer));
  },
});
