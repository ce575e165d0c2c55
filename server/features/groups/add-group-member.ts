import { lockContact, requireContact } from '../../domain/contacts/contacts.ts';
import {
  deleteReplacedInvites,
  decline_hold_s,
  inviteToGroup,
  lockGroup,
  emitGroup,
} from '../../domain/contacts/group-invites.ts';
import {
  countMembers,
  GroupMember,
  max_members,
  presentMember,
  requireGroup,
  requireOwnGroup,
} from '../../domain/contacts/groups.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { after } from '../../kernel/time.ts';
import { insertMember, linkContactToMember, selectContactMembership } from './queries.ts';

export const addGroupMember = endpoint({
  id: 'addGroupMember',
  route: 'PUT /groups/{group_id}/members/{contact_id}',
  summary: 'Add a group member',
  description: 'One of your contacts; contacts with an account are invited first.',
  path: object({ group_id: idOf('grp'), contact_id: idOf('con') }),
  reply: GroupMember,
  status: [201, 200],
  errors: ['forbidden', 'limit_reached'],
  async run({ path: { group_id, contact_id }, caller, ...change }) {
    const { db, now } = change;
    const me = caller.user_id;
    await requireOwnGroup(db, group_id, me);
    await lockContact(db, contact_id, me);
    const before = await requireContact(db, contact_id, me);
    // People first, then the group; then the check for a block.
    if (before.user) await lockPair(db, me, before.user.id);
    // It may have been deleted or transferred in the meantime.
    const owner_id = await lockGroup(db, group_id);
    if (owner_id !== me) fail(owner_id === undefined ? 'not_found' : 'forbidden');
    const { user } = await requireContact(db, contact_id, me);
    if (user) await linkContactToMember(db, { group_id, contact_id, user_id: user.id });
    const membership = await selectContactMembership(db, group_id, contact_id, after(now, -decline_hold_s));
    if (!membership && (await countMembers(db, group_id)) >= max_members)
      fail('limit_reached', { message: `A group can have up to ${max_members} members.` });
    const asks = user && user.id === before.user?.id && (!membership?.invite_id || membership.is_answered);
    const invite_id = asks ? await inviteToGroup(change, group_id, me, user.id) : undefined;
    await insertMember(change, { group_id, contact_id, invite_id });
    if (invite_id && user) await deleteReplacedInvites(db, group_id, user.id);
    if (!membership || invite_id) await emitGroup(change, group_id);
    const { members } = await requireGroup(db, group_id, me);
    const member = found(members.find((one) => one.contact_id === contact_id));
    return reply(membership ? 200 : 201, presentMember(member, true, change));
  },
});
