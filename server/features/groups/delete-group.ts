import { deleteGroupContent } from './rules/delete-content.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { requireOwnGroup } from '../../domain/contacts/groups.ts';

export const deleteGroup = endpoint({
  id: 'deleteGroup',
  route: 'DELETE /groups/{group_id}',
  summary: 'Delete a group',
  description: 'Its members remain in your contacts.',
  path: object({ group_id: idOf('grp') }),
  errors: ['forbidden'],
  async run({ path, caller, ...change }) {
    await lockGroup(change.db, path.group_id);
    await requireOwnGroup(change.db, path.group_id, caller.user_id);
    await deleteGroupContent(change, path.group_id, caller.user_id);
  },
});
