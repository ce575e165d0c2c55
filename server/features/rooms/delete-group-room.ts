import { deleteRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { ofGroup } from './queries.ts';
import { requireOwnGroup } from '../../domain/contacts/groups.ts';

export const deleteGroupRoom = endpoint({
  id: 'deleteGroupRoom',
  route: 'DELETE /groups/{group_id}/room',
  summary: 'Remove the lasting room of a group',
  description: 'Its code stops working. Only its owner and those who were called can stay in its call.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, ...change }) {
    const { db } = change;
    await lockGroup(db, path.group_id);
    await requireOwnGroup(db, path.group_id, caller.user_id);
    await emitRoom(change, ofGroup(path.group_id));
    if (!(await deleteRoom(change, path.group_id))) fail('not_found');
  },
});
