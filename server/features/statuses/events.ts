/** What a status and a reply tell others. */
import {
  clearNotificationsExcept,
  clearReplyNotifications,
  notify,
  notifyMentioned,
} from '../../domain/notifications/notifications.ts';
import {
  mentionedMaySee,
  presentStatus,
  selectMentioned,
  withoutEdits,
  statusPosted,
  type StatusRow,
} from '../../domain/social/statuses.ts';
import { sql } from '../../kernel/database/database.ts';
import { event, type EventType } from '../../kernel/event.ts';
import { object } from '../../kernel/schema.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { presentReply, Reply, type ReplyRow } from './schemas.ts';

export const replyPosted = event(
  'reply.posted',
  'A reply to a status of yours, or one of yours.',
  object({ reply: Reply }),
);
/** Tells the followers and the author's own devices of a status, and once each whom it names. */
export async function emitStatus(
  change: Change,
  services: Services,
  row: StatusRow,
  what: EventType<(typeof statusPosted)['data']>,
): Promise<void> {
  const nobody = { id: '', now: change.now, services };
  const followers = row.hidden ? [] : ([`stream:${row.stream_id}`] as const);
  change.emit(what, [...followers, `user:${row.author.id}`], {
    status: presentStatus(withoutEdits(row), nobody),
  });
  const named = await selectMentioned(change.db, row.mentions, mentionedMaySee(row.id));
  if (what !== statusPosted) await clearNotificationsExcept(change, row.id, named);
  // Who may not read it any more is not led to its replies either; an operator's mark hides those by itself.
  if (what !== statusPosted && row.visibility === 'followers' && !row.hidden)
    await clearReplyNotifications(change, row.id, sql`not ${mentionedMaySee(row.id, 'a.user_id')}`);
  const subject = { type: 'status' as const, id: row.id };
  await notifyMentioned(change, services, { subject, actor_id: row.author.id, source_id: row.id }, named);
}

/** Tells the status's author of a reply, and whom it names; nobody twice. */
export async function emitReply(change: Change, services: Services, status: StatusRow, row: ReplyRow): Promise<void> {
  const topics = [`user:${status.author.id}`, `user:${row.author.id}`] as const;
  change.emit(replyPosted, [...topics], { reply: presentReply(row, services.public_url) });
  const subject = { type: 'status' as const, id: status.id };
  const act = { subject, actor_id: row.author.id, source_id: row.id };
  await notify(change, services, { ...act, to: status.author.id, kind: 'reply' });
  const named = await selectMentioned(change.db, row.mentions, mentionedMaySee(status.id));
  await notifyMentioned(change, services, act, named);
}
