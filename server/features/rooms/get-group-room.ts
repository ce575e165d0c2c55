import { LastingRoom, requireRoom } from '../../domain/calls/lasting-rooms.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { ofGroup } from './queries.ts';

export const getGroupRoom = endpoint({
  id: 'getGroupRoom',
  route: 'GET /groups/{group_id}/room',
  summary: 'Get the lasting room of a group',
  description: 'For everyone who may join it, with the current participants.',
  extension: true,
  path: object({ group_id: idOf('grp') }),
  reply: LastingRoom,
  errors: ['not_found'],
  async run({ path, db, ...input }) {
    return requireRoom(db, ofGroup(path.group_id), viewerOf(input));
  },
});
