import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { deleteOldLabelChanges } from '../../domain/accounts/label-changes.ts';
import { purgeStatuses } from '../../domain/social/purge-statuses.ts';
import { sql } from '../../kernel/database/database.ts';
import { deleteEventsOf } from '../../kernel/realtime/outbox.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { deleteLikesOf } from './queries.ts';

/** How long changes of labels are kept: a node that has read no feed for longer forgets its labels. */
const label_changes_s = 24 * 60 * 60;

export const lifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const { db } = change;
    const statuses = await db.many<{ id: string }>(
      sql`select id from statuses where author_id = ${user_id} order by id limit ${portion}`,
    );
    const has_more = await purgeStatuses(
      change,
      statuses.map(({ id }) => id),
    );
    const replies = await db.many<{ id: string }>(sql`
      delete from replies where id = any(array(
        select id from replies where author_id = ${user_id} order by id limit ${portion})) returning id`);
    const likes = await deleteLikesOf(db, user_id, portion);
    await clearNotifications(change, [...replies.map(({ id }) => id), ...likes]);
    const events = await deleteEventsOf(db, `stream:${user_id}`, portion);
    return has_more || events >= portion || [statuses, replies, likes].some(({ length }) => length >= portion);
  },
  expire: ({ db, now }, portion) => deleteOldLabelChanges(db, after(now, -label_changes_s), portion),
};
