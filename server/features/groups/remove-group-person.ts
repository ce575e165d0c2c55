import { removeFromRoomOf } from '../../domain/calls/leave-places.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireAdministeredGroup } from '../../domain/contacts/groups.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteMembership, selectMembership, withdrawInvite } from './queries.ts';

export const removeGroupPerson = endpoint({
  id: 'removeGroupPerson',
  route: 'DELETE /groups/{group_id}/people/{user_id}',
  summary: 'Remove a member with an account from a group',
  description:
    'For the owner and admins; only the owner removes admins. They leave the call in the room of the group. The invite link is revoked, since they may know it.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp'), user_id: idOf('usr') }),
  errors: ['forbidden'],
  async run({ path: { group_id, user_id }, caller, ...change }) {
    const { db } = change;
    await lockGroup(db, group_id);
    const { owner, members } = await requireAdministeredGroup(db, group_id, caller.user_id);
    // An admin does not learn whether somebody whom a block hides from them is a member.
    if (owner.id !== caller.user_id && !members.some(({ user }) => user?.id === user_id)) fail('not_found');
    const invite = await selectMembership(db, group_id, user_id);
    if (!invite) fail('not_found');
    if (invite.is_admin && owner.id !== caller.user_id) fail('forbidden');
    await deleteMembership(db, group_id, invite.id);
    await revokeLink(change, 'group', group_id);
    await withdrawInvite(change, invite.id);
    await removeFromRoomOf(change, group_id, user_id);
  },
});
