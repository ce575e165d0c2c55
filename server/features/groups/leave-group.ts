import { removeUnentitledFromRoomOf } from '../../domain/calls/leave-places.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { endMembership } from './queries.ts';

export const leaveGroup = endpoint({
  id: 'leaveGroup',
  route: 'POST /groups/{group_id}/leave',
  summary: 'Leave a group',
  description:
    'The owner cannot leave; they can delete the group. You leave the call in its room, unless you were called.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  errors: ['forbidden'],
  async run({ path: { group_id }, caller, ...change }) {
    await lockGroup(change.db, group_id);
    const group = await requireGroup(change.db, group_id, caller.user_id);
    if (group.owner.id === caller.user_id) fail('forbidden', { message: 'The owner cannot leave the group.' });
    await endMembership(change, group_id, caller.user_id);
    await removeUnentitledFromRoomOf(change, group_id, caller.user_id);
  },
});
