import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { presentStatus, requireStatus, Status, withoutEdits } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteLike } from './queries.ts';

export const unlikeStatus = endpoint({
  id: 'unlikeStatus',
  route: 'DELETE /statuses/{post_id}/like',
  summary: 'Remove your like from a status',
  extension: true,
  throttle: 'reply',
  path: object({ post_id: idOf('post') }),
  reply: Status,
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    await requireStatus(db, path.post_id, viewer);
    const like_id = await deleteLike(db, path.post_id, viewer.id);
    if (like_id) await clearNotifications(change, [like_id]);
    return presentStatus(withoutEdits(await requireStatus(db, path.post_id, viewer)), viewer);
  },
});
