import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { replyDeleted } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeReply, selectDeletableReply } from './queries.ts';

export const deleteReply = endpoint({
  id: 'deleteReply',
  route: 'DELETE /statuses/replies/{reply_id}',
  summary: 'Delete a reply',
  description: 'For the author of the reply or of the status.',
  path: object({ reply_id: idOf('reply') }),
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const { id } = viewerOf(change);
    const reply = found(await selectDeletableReply(change.db, path.reply_id, id));
    if (reply.author_id !== id && reply.status_author_id !== id) fail('forbidden');
    await removeReply(change.db, path.reply_id);
    await clearNotifications(change, [path.reply_id]);
    const concerned = [`user:${reply.author_id}`, `user:${reply.status_author_id}`] as const;
    change.emit(replyDeleted, [...concerned], { id: path.reply_id, post_id: reply.status_id });
  },
});
