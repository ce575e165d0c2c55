import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireGroup } from '../../domain/contacts/groups.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { setAdmin } from './rules/set-admin.ts';

export const removeGroupAdmin = endpoint({
  id: 'removeGroupAdmin',
  route: 'DELETE /groups/{group_id}/admins/{user_id}',
  summary: 'Remove an admin of a group',
  description: 'They remain a member. For the owner, and for admins themselves.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp'), user_id: idOf('usr') }),
  errors: ['forbidden'],
  async run({ path: { group_id, user_id }, caller, ...change }) {
    await lockGroup(change.db, group_id);
    const { owner } = await requireGroup(change.db, group_id, caller.user_id);
    if (owner.id !== caller.user_id && user_id !== caller.user_id) fail('forbidden');
    await setAdmin(change, group_id, user_id, false);
  },
});
