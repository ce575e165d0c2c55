import { deleteRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { ofTag } from './queries.ts';
import { requireOwnTag } from '../../domain/social/tags.ts';

export const deleteTagRoom = endpoint({
  id: 'deleteTagRoom',
  route: 'DELETE /xtags/{xtag_id}/room',
  summary: 'Remove the lasting room of a tag',
  description: 'Its code stops working. Only its owner and those who were called can stay in its call.',
  extension: true,
  throttle: 'shared_update',
  path: object({ xtag_id: idOf('tag') }),
  errors: ['not_found', 'forbidden'],
  async run({ path, ...change }) {
    const { db } = change;
    await requireOwnTag(db, path.xtag_id, viewerOf(change));
    await emitRoom(change, ofTag(path.xtag_id));
    if (!(await deleteRoom(change, path.xtag_id))) fail('not_found');
  },
});
