import { requireAdministeredGroup } from '../../domain/contacts/groups.ts';
import { linkUrl, selectSealed } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { GroupLink } from './schemas.ts';

export const getGroupLink = endpoint({
  id: 'getGroupLink',
  route: 'GET /groups/{group_id}/link',
  summary: 'Get the invite link of a group',
  description: 'For its owner and admins; 404 while it has none.',
  extension: true,
  path: object({ group_id: idOf('grp') }),
  reply: GroupLink,
  errors: ['forbidden'],
  async run({ path: { group_id }, caller, db, services }) {
    await requireAdministeredGroup(db, group_id, caller.user_id);
    return { url: linkUrl(services, 'group', found(await selectSealed(db, 'group', group_id))) };
  },
});
