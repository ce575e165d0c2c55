import { notificationsRead } from '../../domain/notifications/notifications.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';

export const readAllNotifications = endpoint({
  id: 'readAllNotifications',
  route: 'POST /notifications/read-all',
  summary: 'Mark all notifications as read',
  body: object({ up_to_id: optional(idOf('note')) }),
  status: [204],
  async run({ caller, body, db, now, emit }) {
    const until = body.up_to_id === undefined ? sql`` : sql`and id <= ${body.up_to_id}`;
    const read = await db.run(sql`
      update notifications set read_at = ${now} where user_id = ${caller.user_id} and read_at is null and not hidden ${until}`);
    if (read > 0) emit(notificationsRead, [`user:${caller.user_id}`], { up_to_id: body.up_to_id ?? null });
  },
});
