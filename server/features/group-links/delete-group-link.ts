import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireAdministeredGroup } from '../../domain/contacts/groups.ts';
import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteGroupLink = endpoint({
  id: 'deleteGroupLink',
  route: 'DELETE /groups/{group_id}/link',
  summary: 'Revoke the invite link of a group',
  description: 'Those who have joined by it stay.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  errors: ['forbidden'],
  async run({ path: { group_id }, caller, ...change }) {
    await lockGroup(change.db, group_id);
    await requireAdministeredGroup(change.db, group_id, caller.user_id);
    if (!(await revokeLink(change, 'group', group_id))) fail('not_found');
  },
});
