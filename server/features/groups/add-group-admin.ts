import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { setAdmin } from './rules/set-admin.ts';
import { requireOwnGroup } from '../../domain/contacts/groups.ts';

export const addGroupAdmin = endpoint({
  id: 'addGroupAdmin',
  route: 'PUT /groups/{group_id}/admins/{user_id}',
  summary: 'Make a member an admin of a group',
  description: 'Admins edit the group, remove members, manage its link, and delete messages in its chat.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp'), user_id: idOf('usr') }),
  errors: ['forbidden'],
  async run({ path: { group_id, user_id }, caller, ...change }) {
    await lockGroup(change.db, group_id);
    await requireOwnGroup(change.db, group_id, caller.user_id);
    await setAdmin(change, group_id, user_id, true);
  },
});
