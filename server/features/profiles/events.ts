/** Events and notifications of comments. */
import { commentPosted, presentComment, type CommentRow } from '../../domain/social/comments.ts';
import { notify, notifyMentioned } from '../../domain/notifications/notify.ts';
import { selectMentioned } from '../../domain/social/mentions.ts';
import type { TagRow } from '../../domain/social/tags.ts';
import type { Change } from '../../kernel/services.ts';
import { mayBeMentioned } from './queries.ts';

/** Notifies the profile's owner of a comment, and mentioned people who may open the profile; nobody twice. */
export async function emitComment(change: Change, tag: TagRow, row: CommentRow): Promise<void> {
  const topics = [`user:${tag.owner.id}`, `user:${row.author.id}`] as const;
  change.emit(commentPosted, [...topics], { comment: presentComment(row, change) });
  const act = { subject: { type: 'tag' as const, id: tag.id }, actor_id: row.author.id, source_id: row.id };
  await notify(change, { ...act, to: tag.owner.id, kind: 'comment' });
  await notifyMentioned(change, act, await selectMentioned(change.db, row.mentions, mayBeMentioned(tag.id)));
}
