/** Deletion of a tag: one mark hides it from others, and its rows are purged later, in portions. */
import { reserveName, name_hold_s } from '../../../domain/social/tags.ts';
import { deleteFollows } from '../../../domain/social/follows.ts';
import { cancelRequests } from '../../../domain/social/follow-requests.ts';
import { purgeStatuses } from '../../../domain/social/purge-statuses.ts';
import { deleteRoom } from '../../../domain/calls/lasting-rooms.ts';
import { detachFiles } from '../../../domain/files/files.ts';
import { clearNotifications } from '../../../domain/notifications/clear-notifications.ts';
import { deleteWidgets } from '../../../domain/widgets/widgets.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { deleteEventsOf } from '../../../kernel/realtime/outbox.ts';
import { change as inChange, type Change } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';

/** The number of rows of a kind per transaction. */
const portion = 500;

/** Deletes a tag whose row the caller has locked, and reserves its name for a while. */
export async function deleteTagContent(
  change: Change,
  tag: { id: string; name: string; owner_id: string },
): Promise<void> {
  const { db, now } = change;
  await db.run(sql`update tags set deleted_at = ${now} where id = ${tag.id}`);
  await reserveName(db, tag, after(now, name_hold_s));
  await deleteWidgets(change, sql`w.tag_id = ${tag.id}`);
  await deleteRoom(change, tag.id);
  change.enqueue(purgeTag, { tag_id: tag.id });
}

/** Purges a deleted tag: follows, requests, statuses with their dependents, comments, files. */
export const purgeTag = job<{ tag_id: string }>({
  name: 'tags.purge',
  max_attempts: 20,
  async run({ tag_id }, services) {
    await inChange(services, async (change) => {
      if (await purgePortion(change, tag_id)) change.enqueue(purgeTag, { tag_id });
    });
  },
});

async function purgePortion(change: Change, tag_id: string): Promise<boolean> {
  const { db, now } = change;
  const follows = await deleteFollows(
    change,
    sql`f.id = any(array(select id from follows where tag_id = ${tag_id} order by id limit ${portion}))`,
  );
  const requests = await cancelRequests(
    change,
    sql`r.id = any(array(
      select id from follow_requests where tag_id = ${tag_id} and state in ('pending', 'declined') order by id limit ${portion}))`,
  );
  const statuses = await db.many<{ id: string }>(
    sql`select id from statuses where stream_id = ${tag_id} order by id limit ${portion}`,
  );
  const has_more = await purgeStatuses(
    change,
    statuses.map(({ id }) => id),
  );
  const comments = await db.many<{ id: string }>(sql`
    delete from comments where id = any(array(select id from comments where tag_id = ${tag_id} order by id limit ${portion}))
    returning id`);
  await clearNotifications(
    change,
    comments.map(({ id }) => id),
  );
  await detachFiles(db, [tag_id], now);
  // Replayed events must not contain it either.
  const events = await deleteEventsOf(db, `stream:${tag_id}`, portion);
  // The row stays for its name, which is reserved.
  await db.run(sql`update tags set title = '', description = '', media_count = 0 where id = ${tag_id}`);
  return (
    has_more || [follows.length, requests, statuses.length, comments.length, events].some((count) => count === portion)
  );
}
