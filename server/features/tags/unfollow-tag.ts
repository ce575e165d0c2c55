import { removeFromCallsForFollowers, removeUnentitledFromRoomOf } from '../../domain/calls/leave-places.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { endFollow } from './rules/follow-queries.ts';

export const unfollowTag = endpoint({
  id: 'unfollowTag',
  route: 'DELETE /xtags/{xtag_id}/follow',
  summary: 'Unfollow a tag',
  description:
    'Cancels a pending follow request as well. You leave a call of its owner, or in its room, that only followers may join.',
  path: object({ xtag_id: idOf('tag') }),
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const tag = await requireTag(change.db, path.xtag_id, viewer);
    await lockPair(change.db, viewer.id, tag.owner.id);
    await endFollow(change, viewer.id, tag.id);
    await removeUnentitledFromRoomOf(change, tag.id, viewer.id);
    await removeFromCallsForFollowers(change, tag.owner.id, viewer.id);
  },
});
