/**
 * Content that operators hide from all but its author. One flag is set, and the rest follows from the rules of
 * visibility, so that clearing the flag restores exactly what was there.
 */
import { raw, sql } from '../../kernel/database/database.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { endCallInRoomOf } from '../calls/leave-places.ts';
import { commentDeleted } from '../social/comments.ts';
import {
  from_statuses,
  presentStatus,
  replyDeleted,
  statusColumns,
  statusDeleted,
  statusPosted,
  type StatusRow,
} from '../social/statuses.ts';
import { everyone } from '../visibility/viewer.ts';
import { endGuestsOf } from '../widgets/widgets.ts';
import { ModerationError, recordAct, type ModerationReason } from './moderation-acts.ts';
import { barReplay } from './hidden-streams.ts';
import { hideNotificationsAbout, type HideableType } from './notifications-about.ts';

const tables: Record<HideableType, string> = { tag: 'tags', status: 'statuses', reply: 'replies', comment: 'comments' };

/** The types of content that operators can hide. */
export const hideable_types = Object.keys(tables) as HideableType[];

/** Hides content from all but its author, or restores it. @throws ModerationError when that changes nothing */
export function hideContent(
  services: Services,
  type: HideableType,
  id: string,
  act: 'hide' | 'unhide',
  motive: ModerationReason,
): Promise<void> {
  return inChange(services, async (change) => {
    const hides = act === 'hide';
    const is_present = type === 'tag' || type === 'status' ? sql`and deleted_at is null` : sql``;
    const moved = await change.db.run(sql`
      update ${raw(tables[type])} set hidden_at = ${hides ? change.now : null}::timestamptz
      where id = ${id} and (hidden_at is null) = ${hides} ${is_present}`);
    if (moved === 0) throw new ModerationError(`There is no ${type} ${id} to ${act}.`);
    if (hides) await onHide[type](change, id);
    else if (type === 'status') await emitRestoredStatus(change, id);
    await hideNotificationsAbout(change, { type, id });
    await recordAct(change, { act, type, id }, motive);
  });
}

/** What follows from hiding: events for people who are viewing the content, and the end of what it gave access to. */
const onHide: Record<HideableType, (change: Change, id: string) => Promise<void>> = {
  async tag(change, id) {
    await barReplay(change, { type: 'tag', id });
    await endGuestsOf(change, sql`w.tag_id = ${id}`);
    await endCallInRoomOf(change, id);
  },
  async status(change, id) {
    const { stream_id } = await change.db.one<{ stream_id: string }>(
      sql`select stream_id from statuses where id = ${id}`,
    );
    const topic = `stream:${stream_id}` as const;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type in ('status.posted', 'status.updated') and data -> 'status' ->> 'id' = ${id}`);
    change.emit(statusDeleted, [topic], { id });
  },
  async reply(change, id) {
    const row = await change.db.one<{ post_id: string; author_id: string }>(sql`
      select r.status_id as post_id, s.author_id from replies r join statuses s on s.id = r.status_id where r.id = ${id}`);
    const topic = `user:${row.author_id}` as const;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type = 'reply.posted' and data -> 'reply' ->> 'id' = ${id}`);
    change.emit(replyDeleted, [topic], { id, post_id: row.post_id });
  },
  async comment(change, id) {
    const row = await change.db.one<{ tag_id: string; owner_id: string }>(sql`
      select c.tag_id, t.owner_id from comments c join tags t on t.id = c.tag_id where c.id = ${id}`);
    const topic = `user:${row.owner_id}` as const;
    await change.db.run(sql`
      delete from events where topic = ${topic} and type = 'comment.posted' and data -> 'comment' ->> 'id' = ${id}`);
    change.emit(commentDeleted, [topic], { id, tag_id: row.tag_id });
  },
};

/** Shows a status to those who are viewing its stream; other restored content appears when it is fetched again. */
async function emitRestoredStatus(change: Change, id: string): Promise<void> {
  const viewer = everyone(change);
  const row = await change.db.one<StatusRow>(
    sql`select ${statusColumns(viewer)} from ${from_statuses} where s.id = ${id}`,
  );
  if (row.hidden) return;
  change.emit(statusPosted, [`stream:${row.stream_id}`], { status: presentStatus(row, viewer) });
}
