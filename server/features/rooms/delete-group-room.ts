import { deleteRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteGroupRoom = endpoint({
  id: 'deleteGroupRoom',
  route: 'DELETE /groups/{group_id}/room',
  summary: 'Remove the lasting room of a group',
  description: 'Its code stops working; current participants can stay until they leave.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, services, ...change }) {
    const { db } = change;
    await lockGroup(db, path.group_id);
    const { owner } = await requireGroup(db, path.group_id, caller.user_id);
    if (owner.id !== caller.user_id) fail('forbidden');
    await emitRoom(change, services, sql`r.group_id = ${path.group_id}`);
    if (!(await deleteRoom(db, path.group_id))) fail('not_found');
  },
});
