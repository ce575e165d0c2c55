import { removeFromRoomOf } from '../../domain/calls/leave-places.ts';
import { emitGroup, lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteMember, endMembership, withdrawInvite } from './queries.ts';

export const removeGroupMember = endpoint({
  id: 'removeGroupMember',
  route: 'DELETE /groups/{group_id}/members/{contact_id}',
  summary: 'Remove a group member',
  description: 'A member can remove themselves.',
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp'), contact_id: idOf('con') }),
  errors: ['forbidden'],
  async run({ path: { group_id, contact_id }, caller, ...change }) {
    const { db } = change;
    await lockGroup(db, group_id);
    const group = await requireGroup(db, group_id, caller.user_id);
    const member = found(group.members.find((one) => one.contact_id === contact_id));
    if (group.owner.id !== caller.user_id) {
      if (member.user?.id !== caller.user_id) fail('forbidden');
      return endMembership(change, group_id, caller.user_id);
    }
    const invite_id = await deleteMember(db, group_id, contact_id);
    // They may know the link.
    if (member.user) await revokeLink(change, 'group', group_id);
    const ended = await withdrawInvite(change, invite_id);
    if (member.user) await removeFromRoomOf(change, group_id, member.user.id);
    // The removed member was notified with the others.
    if (!ended.some(({ was }) => was === 'accepted')) await emitGroup(change, group_id);
  },
});
