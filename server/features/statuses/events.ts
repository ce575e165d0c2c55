/** Events and notifications of statuses and replies. */
import { notify, notifyMentioned } from '../../domain/notifications/notify.ts';
import { clearNotificationsExcept, clearReplyNotifications } from '../../domain/notifications/clear-notifications.ts';
import { selectMentioned } from '../../domain/social/mentions.ts';
import {
  mentionedMaySee,
  presentStatus,
  withoutEdits,
  statusPosted,
  type StatusRow,
} from '../../domain/social/statuses.ts';
import { everyone } from '../../domain/visibility/viewer.ts';
import { event } from '../../kernel/event.ts';
import { object } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { presentReply, Reply, type ReplyRow } from './schemas.ts';
import { mayNoLongerSee } from './queries.ts';

export const replyPosted = event(
  'reply.posted',
  'A new reply to one of your statuses, or your own reply.',
  object({ reply: Reply }),
);
/** Sends a status to followers and the author's own devices, and notifies mentioned people once each. */
export async function emitStatus(change: Change, row: StatusRow, what: typeof statusPosted): Promise<void> {
  const viewer = everyone(change);
  const followers = row.hidden ? [] : ([`stream:${row.stream_id}`] as const);
  change.emit(what, [...followers, `user:${row.author.id}`], {
    status: presentStatus(withoutEdits(row), viewer),
  });
  const named = await selectMentioned(change.db, row.mentions, mentionedMaySee(row.id));
  if (what !== statusPosted) await clearNotificationsExcept(change, row.id, named);
  // People who may no longer read it lose the notifications of its replies; content hidden by an operator hides those
  // by itself.
  if (what !== statusPosted && row.visibility === 'followers' && !row.hidden)
    await clearReplyNotifications(change, row.id, mayNoLongerSee(row.id));
  const subject = { type: 'status' as const, id: row.id };
  await notifyMentioned(change, { subject, actor_id: row.author.id, source_id: row.id }, named);
}

/** Notifies the status's author of a reply, and mentioned people; nobody twice. */
export async function emitReply(change: Change, status: StatusRow, row: ReplyRow): Promise<void> {
  const topics = [`user:${status.author.id}`, `user:${row.author.id}`] as const;
  change.emit(replyPosted, [...topics], { reply: presentReply(row, change) });
  const subject = { type: 'status' as const, id: status.id };
  const act = { subject, actor_id: row.author.id, source_id: row.id };
  await notify(change, { ...act, to: status.author.id, kind: 'reply' });
  const named = await selectMentioned(change.db, row.mentions, mentionedMaySee(status.id));
  await notifyMentioned(change, act, named);
}
