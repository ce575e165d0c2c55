import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { from_statuses, replyDeleted } from '../../domain/social/statuses.ts';
import { isActorVisible } from '../../domain/visibility/people.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteReply = endpoint({
  id: 'deleteReply',
  route: 'DELETE /statuses/replies/{reply_id}',
  summary: 'Delete a reply',
  description: 'For the author of the reply or of the status.',
  path: object({ reply_id: idOf('reply') }),
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const { id } = viewerOf(change);
    const reply = found(
      await change.db.maybe<{ author_id: string; status_author_id: string; status_id: string }>(sql`
        select r.author_id, s.author_id as status_author_id, s.id as status_id
        from replies r, ${from_statuses}
        where r.id = ${path.reply_id} and s.id = r.status_id and (
          r.author_id = ${id} or (r.hidden_at is null and ${maySeeStatus(id)} and ${isActorVisible(id, 'r.author_id')}))`),
    );
    if (reply.author_id !== id && reply.status_author_id !== id) fail('forbidden');
    await change.db.run(sql`delete from replies where id = ${path.reply_id}`);
    await clearNotifications(change, [path.reply_id]);
    const concerned = [`user:${reply.author_id}`, `user:${reply.status_author_id}`] as const;
    change.emit(replyDeleted, [...concerned], { id: path.reply_id, post_id: reply.status_id });
  },
});
