import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { Group, presentGroup, requireGroup } from '../../domain/contacts/groups.ts';
import { LinkToken, requireLink } from '../../domain/public-links/links.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { joinGroup } from './rules/join-group.ts';
import { isVisible } from './queries.ts';

export const joinGroupByLink = endpoint({
  id: 'joinGroupByLink',
  route: 'POST /group-links/{token}/join',
  summary: 'Join a group by its link',
  description: 'What the link opens is read by `GET /public-links/{token}`. For a member nothing changes.',
  extension: true,
  throttle: 'shared_update',
  path: object({ token: LinkToken }),
  reply: Group,
  errors: ['gone', 'limit_reached'],
  async run({ path: { token }, ...change }) {
    const viewer = viewerOf(change);
    const { db, now } = change;
    const { subject_id: group_id, owner_id } = await requireLink(db, token, now, 'group');
    await lockPair(db, viewer.id, owner_id);
    const current_owner_id = await lockGroup(db, group_id);
    // It may have been revoked, or the group transferred, in the meantime.
    const link = await requireLink(db, token, now, 'group');
    if (current_owner_id !== link.owner_id) fail('gone');
    if (viewer.id !== owner_id) {
      // A block looks like a link that was removed.
      if (!(await isVisible(db, owner_id, viewer.id)))
        fail('gone', { message: 'This link has expired or was removed.' });
      await joinGroup(change, { group_id, owner_id }, viewer);
    }
    return presentGroup(await requireGroup(db, group_id, viewer.id), viewer);
  },
});
