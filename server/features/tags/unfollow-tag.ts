import { cancelRequests, deleteFollows } from '../../domain/social/follows.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const unfollowTag = endpoint({
  id: 'unfollowTag',
  route: 'DELETE /xtags/{xtag_id}/follow',
  summary: 'Unfollow a tag',
  description: 'Cancels a pending follow request as well.',
  path: object({ xtag_id: idOf('tag') }),
  async run({ path, services, ...change }) {
    const viewer = viewerOf({ services, ...change });
    const tag = await requireTag(change.db, sql`t.id = ${path.xtag_id}`, viewer);
    await lockPair(change.db, viewer.id, tag.owner.id);
    await deleteFollows(change, sql`f.follower_id = ${viewer.id} and f.tag_id = ${tag.id}`);
    const mine = sql`r.user_id = ${viewer.id} and r.tag_id = ${tag.id}`;
    await cancelRequests(change, mine, services.public_url);
  },
});
