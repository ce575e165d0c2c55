import { commentDeleted } from '../../domain/social/comments.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeComment, selectDeletable } from './queries.ts';
import { ProfilePath } from './schemas.ts';

export const deleteComment = endpoint({
  id: 'deleteComment',
  route: 'DELETE /profiles/{xtag}/comments/{comment_id}',
  summary: 'Delete a comment',
  description: 'For the author of the comment or the owner of the profile.',
  path: object({ ...ProfilePath.properties, comment_id: idOf('cmt') }),
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const { id, now } = viewerOf(change);
    const comment = found(await selectDeletable(change.db, path, id, now));
    if (comment.author_id !== id && comment.owner_id !== id) fail('forbidden');
    await removeComment(change.db, path.comment_id);
    await clearNotifications(change, [path.comment_id]);
    const concerned = [`user:${comment.author_id}`, `user:${comment.owner_id}`] as const;
    change.emit(commentDeleted, [...concerned], { id: path.comment_id, tag_id: comment.tag_id });
  },
});
