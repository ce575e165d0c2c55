import { LastingRoom, requireRoom } from '../../domain/calls/lasting-rooms.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const getGroupRoom = endpoint({
  id: 'getGroupRoom',
  route: 'GET /groups/{group_id}/room',
  summary: 'Get the lasting room of a group',
  description: 'For those who may come into it, with who is in it now.',
  extension: true,
  path: object({ group_id: idOf('grp') }),
  reply: LastingRoom,
  errors: ['not_found'],
  async run({ path, db, ...input }) {
    return requireRoom(db, sql`r.group_id = ${path.group_id}`, viewerOf(input));
  },
});
