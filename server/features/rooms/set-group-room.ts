import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { LastingRoom, requireRoom, setRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { guests_values } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { ofGroup } from './queries.ts';

export const setGroupRoom = endpoint({
  id: 'setGroupRoom',
  route: 'PUT /groups/{group_id}/room',
  summary: 'Set the lasting room of a group',
  description: 'Creates the room, or changes the given settings; its code does not change.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  body: object({
    guests: optional({
      ...oneOf(...guests_values),
      description: 'Whether people without an account can join by the link. `off` by default.',
    }),
  }),
  reply: LastingRoom,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, body, ...change }) {
    const viewer = viewerOf({ caller, ...change });
    await lockGroup(change.db, path.group_id);
    const { owner } = await requireGroup(change.db, path.group_id, viewer.id);
    if (owner.id !== viewer.id) fail('forbidden');
    await setRoom(change, { group_id: path.group_id }, body);
    await emitRoom(change, ofGroup(path.group_id));
    return requireRoom(change.db, ofGroup(path.group_id), viewer);
  },
});
