import { LastingRoom, requireRoom } from '../../domain/calls/lasting-rooms.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { ofTag } from './queries.ts';

export const getTagRoom = endpoint({
  id: 'getTagRoom',
  route: 'GET /xtags/{xtag_id}/room',
  summary: 'Get the lasting room of a tag',
  description: 'For everyone who may join it, with the current participants.',
  extension: true,
  path: object({ xtag_id: idOf('tag') }),
  reply: LastingRoom,
  errors: ['not_found'],
  async run({ path, db, ...input }) {
    return requireRoom(db, ofTag(path.xtag_id), viewerOf(input));
  },
});
