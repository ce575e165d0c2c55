import { notify } from '../../domain/notifications/notify.ts';
import { presentStatus, requireStatus, Status, withoutEdits } from '../../domain/social/statuses.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { insertLike } from './queries.ts';

export const likeStatus = endpoint({
  id: 'likeStatus',
  route: 'PUT /statuses/{post_id}/like',
  summary: 'Like a status',
  description: 'Its author is notified without a push. The number of likes is the same for all viewers.',
  extension: true,
  throttle: 'reply',
  path: object({ post_id: idOf('post') }),
  reply: Status,
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const seen = await requireStatus(db, path.post_id, viewer);
    await lockPair(db, viewer.id, seen.author.id);
    const like_id = await insertLike(change, seen.id, viewer.id);
    const status = await requireStatus(db, path.post_id, viewer);
    if (like_id) {
      const subject = { type: 'status' as const, id: status.id };
      const act = { subject, actor_id: viewer.id, source_id: like_id, quiet: true };
      await notify(change, { ...act, to: status.author.id, kind: 'like' });
    }
    return presentStatus(withoutEdits(status), viewer);
  },
});
