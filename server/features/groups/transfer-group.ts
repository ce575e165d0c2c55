import { removeBlockedFromRoomOf } from '../../domain/calls/leave-places.ts';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { Group, presentGroup, requireGroup, requireOwnGroup } from '../../domain/contacts/groups.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { lockPairs } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { countGroups, lockTier } from './queries.ts';
import { transferTo } from './rules/transfer-to.ts';

export const transferGroup = endpoint({
  id: 'transferGroup',
  route: 'POST /groups/{group_id}/transfer',
  summary: 'Transfer a group to a member',
  description:
    'The member becomes the owner and reads all messages, and you become a member. Contacts without an account, open ' +
    'invites and the invite link end, as do memberships of people in a block with the new owner, and your widgets are no ' +
    'longer shared with it.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  body: object({ user_id: idOf('usr') }),
  reply: Group,
  errors: ['forbidden', 'limit_reached'],
  async run({ path: { group_id }, body: { user_id }, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    // A block between the new owner and a member waits until the membership has ended, or ends it.
    const { members } = await requireGroup(db, group_id, viewer.id);
    await lockPairs(db, user_id, [viewer.id, ...members.flatMap(({ user }) => user?.id ?? [])]);
    const tier = await lockTier(db, user_id);
    await lockGroup(db, group_id);
    const group = await requireOwnGroup(db, group_id, viewer.id);
    if (!group.members.some(({ user }) => user?.id === user_id)) invalid({ user_id: 'is not a member of the group' });
    if (tier === undefined || (await countGroups(db, user_id)) >= plan_limits[tier].groups)
      fail('limit_reached', { message: 'They cannot own another group.' });
    await transferTo(change, { group_id, from_id: viewer.id, to_id: user_id });
    await removeBlockedFromRoomOf(change, group_id, user_id);
    return presentGroup(await requireGroup(db, group_id, viewer.id), viewer);
  },
});
