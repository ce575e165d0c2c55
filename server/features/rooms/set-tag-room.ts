import { removeUnentitledFromRoomOf } from '../../domain/calls/leave-places.ts';
import { LastingRoom, requireRoom, setRoom } from '../../domain/calls/lasting-rooms.ts';
import { emitRoom } from '../../domain/calls/room-events.ts';
import { lockTag, requireOwnTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { privacy_values } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { ofTag } from './queries.ts';
import { guestsField } from './schemas.ts';

export const setTagRoom = endpoint({
  id: 'setTagRoom',
  route: 'PUT /xtags/{xtag_id}/room',
  summary: 'Set the lasting room of a tag',
  description:
    'Creates the room, or changes the given settings; its code does not change. Those who may no longer join leave its call, unless they were called.',
  extension: true,
  throttle: 'shared_update',
  path: object({ xtag_id: idOf('tag') }),
  body: object({
    privacy: optional({
      ...oneOf(...privacy_values),
      description: 'Who may join: only you, followers of the tag, or everyone who can see it. `followers` by default.',
    }),
    guests: guestsField,
  }),
  reply: LastingRoom,
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, body, ...change }) {
    const viewer = viewerOf({ caller, ...change });
    await lockTag(change.db, path.xtag_id);
    await requireOwnTag(change.db, path.xtag_id, viewer);
    await setRoom(change, { tag_id: path.xtag_id }, body);
    if (body.privacy !== undefined) await removeUnentitledFromRoomOf(change, path.xtag_id);
    await emitRoom(change, ofTag(path.xtag_id));
    return requireRoom(change.db, ofTag(path.xtag_id), viewer);
  },
});
