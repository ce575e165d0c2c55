import { lockGroup, emitGroup } from '../../domain/contacts/group-invites.ts';
import { Group, presentGroup, requireAdministeredGroup, requireGroup } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { setAvatar, updateGroup } from './queries.ts';
import { GroupName, groupSettings } from './schemas.ts';

export const editGroup = endpoint({
  id: 'editGroup',
  route: 'PATCH /groups/{group_id}',
  summary: 'Edit a group',
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  body: object({ name: optional(GroupName), ...groupSettings }),
  reply: Group,
  errors: ['forbidden'],
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    await lockGroup(db, path.group_id);
    await requireAdministeredGroup(db, path.group_id, viewer.id);
    await updateGroup(db, path.group_id, body);
    if (body.avatar_file_id !== undefined) await setAvatar(change, path.group_id, viewer.id, body.avatar_file_id);
    await emitGroup(change, path.group_id);
    return presentGroup(await requireGroup(db, path.group_id, viewer.id), viewer);
  },
});
