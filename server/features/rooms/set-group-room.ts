import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { LastingRoom, requireRoom, setRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { ofGroup } from './queries.ts';
import { requireOwnGroup } from '../../domain/contacts/groups.ts';
import { guestsField } from './schemas.ts';

export const setGroupRoom = endpoint({
  id: 'setGroupRoom',
  route: 'PUT /groups/{group_id}/room',
  summary: 'Set the lasting room of a group',
  description: 'Creates the room, or changes the given settings; its code does not change.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  body: object({
    guests: guestsField,
  }),
  reply: LastingRoom,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, body, ...change }) {
    const viewer = viewerOf({ caller, ...change });
    await lockGroup(change.db, path.group_id);
    await requireOwnGroup(change.db, path.group_id, viewer.id);
    await setRoom(change, { group_id: path.group_id }, body);
    await emitRoom(change, ofGroup(path.group_id));
    return requireRoom(change.db, ofGroup(path.group_id), viewer);
  },
});
