import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { emitGroup } from '../../domain/contacts/group-invites.ts';
import { Group, presentGroup, requireGroup } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { insertGroup, setAvatar } from './queries.ts';
import { GroupName, groupSettings } from './schemas.ts';

export const createGroup = endpoint({
  id: 'createGroup',
  route: 'POST /groups',
  summary: 'Create a group',
  body: object({ name: GroupName, ...groupSettings }),
  reply: Group,
  status: [201],
  errors: ['plan_limit_reached'],
  async run({ body, ...change }) {
    const viewer = viewerOf(change);
    const id = change.id('grp');
    const group = { id, name: body.name.trim(), description: body.description ?? '' };
    const made = await insertGroup(change, group, viewer.id, plan_limits[change.caller.tier].groups);
    if (!made) fail('plan_limit_reached');
    if (body.avatar_file_id) await setAvatar(change, id, viewer.id, body.avatar_file_id);
    await emitGroup(change, id);
    return presentGroup(await requireGroup(change.db, id, viewer.id), viewer);
  },
});
