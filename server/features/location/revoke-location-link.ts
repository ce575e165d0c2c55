import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { closeLocationLink } from './queries.ts';

export const revokeLocationLink = endpoint({
  id: 'revokeLocationLink',
  route: 'DELETE /location/links/{link_id}',
  summary: 'Revoke a live location link',
  path: object({ link_id: idOf('lnk') }),
  async run({ path, caller, ...change }) {
    if (!(await closeLocationLink(change.db, path.link_id, caller.user_id, change.now))) fail('not_found');
    await revokeLink(change, 'location', path.link_id);
  },
});
