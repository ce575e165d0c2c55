import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { requireAdministeredGroup } from '../../domain/contacts/groups.ts';
import { insertLink, linkUrl, selectSealed } from '../../domain/public-links/links.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { GroupLink } from './schemas.ts';

export const setGroupLink = endpoint({
  id: 'setGroupLink',
  route: 'PUT /groups/{group_id}/link',
  summary: 'Create the invite link of a group',
  description: 'Whoever has it can join, unless there is a block between them and the owner. An existing link stays.',
  extension: true,
  throttle: 'shared_update',
  path: object({ group_id: idOf('grp') }),
  reply: GroupLink,
  status: [201, 200],
  errors: ['forbidden'],
  async run({ path: { group_id }, caller, ...change }) {
    const { db } = change;
    await lockGroup(db, group_id);
    const { owner } = await requireAdministeredGroup(db, group_id, caller.user_id);
    const before = await selectSealed(db, 'group', group_id);
    if (before !== undefined) return reply(200, { url: linkUrl(change.services, 'group', before) });
    // The link ends with its owner's account, as the group does.
    const sealed = await insertLink(change, { kind: 'group', subject_id: group_id, owner_id: owner.id });
    return reply(201, { url: linkUrl(change.services, 'group', sealed) });
  },
});
