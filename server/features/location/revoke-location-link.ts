import { revokeLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { closeLocationLink, lockSettings, trimPosition } from './queries.ts';

export const revokeLocationLink = endpoint({
  id: 'revokeLocationLink',
  route: 'DELETE /location/links/{link_id}',
  summary: 'Revoke a live location link',
  path: object({ link_id: idOf('lnk') }),
  async run({ path, caller, ...change }) {
    const { db, now } = change;
    await lockSettings(db, caller.user_id);
    if (!(await closeLocationLink(db, path.link_id, caller.user_id, now))) fail('not_found');
    await trimPosition(db, caller.user_id, now);
    await revokeLink(change, 'location', path.link_id);
  },
});
