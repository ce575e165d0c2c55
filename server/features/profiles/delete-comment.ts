import { commentDeleted, maySeeComment } from '../../domain/social/comments.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { isNamed } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
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
    // Its author may always delete it, even on a profile that they can no longer open.
    const comment = found(
      await change.db.maybe<{ author_id: string; owner_id: string; tag_id: string }>(sql`
        select c.author_id, t.owner_id, c.tag_id
        from comments c join tags t on t.id = c.tag_id join users u on u.id = t.owner_id join users a on a.id = c.author_id
        where c.id = ${path.comment_id} and ${isNamed(path.xtag.toLowerCase(), now)} and (
          (c.author_id = ${id} and t.deleted_at is null)
          or ${maySeeComment(id)})`),
    );
    if (comment.author_id !== id && comment.owner_id !== id) fail('forbidden');
    await change.db.run(sql`delete from comments where id = ${path.comment_id}`);
    await clearNotifications(change, [path.comment_id]);
    const concerned = [`user:${comment.author_id}`, `user:${comment.owner_id}`] as const;
    change.emit(commentDeleted, [...concerned], { id: path.comment_id, tag_id: comment.tag_id });
  },
});
