import { removeFromRoomOf } from '../../domain/calls/leave-calls.ts';
import { leaveGroups, lockGroup, emitGroup, withdrawInvites } from '../../domain/contacts/group-invites.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const removeGroupMember = endpoint({
  id: 'removeGroupMember',
  route: 'DELETE /groups/{group_id}/members/{contact_id}',
  summary: 'Remove a group member',
  description: 'A member can remove themselves.',
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp'), contact_id: idOf('con') }),
  errors: ['forbidden'],
  async run({ path: { group_id, contact_id }, caller, services, ...change }) {
    const { db } = change;
    await lockGroup(db, group_id);
    const group = await requireGroup(db, group_id, caller.user_id);
    const member = found(group.members.find((one) => one.contact_id === contact_id));
    if (group.owner.id !== caller.user_id) {
      if (member.user?.id !== caller.user_id) fail('forbidden');
      return leaveGroups(change, sql`i.group_id = ${group_id} and i.user_id = ${caller.user_id}`);
    }
    const { invite_id } = await db.one<{ invite_id: string | null }>(sql`
      delete from group_members where group_id = ${group_id} and contact_id = ${contact_id} returning invite_id`);
    // They may know the link.
    if (member.user) await revokeLink(change, 'group', group_id);
    const ended = await withdrawInvites(change, sql`i.id = ${invite_id}`);
    if (member.user) await removeFromRoomOf(change, services, group_id, member.user.id);
    // The removed member was notified with the others.
    if (!ended.some(({ was }) => was === 'accepted')) await emitGroup(change, group_id);
  },
});
