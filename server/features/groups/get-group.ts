import { Group, presentGroup, requireGroup } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const getGroup = endpoint({
  id: 'getGroup',
  route: 'GET /groups/{group_id}',
  summary: 'Get a group',
  path: object({ group_id: idOf('grp') }),
  reply: Group,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    return presentGroup(await requireGroup(db, path.group_id, viewer.id), viewer);
  },
});
