import {
  Notification,
  notification_columns,
  notificationUpdated,
  presentNotification,
  type NotificationRow,
} from '../../domain/notifications/notifications.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';

export const updateNotification = endpoint({
  id: 'updateNotification',
  route: 'PATCH /notifications/{note_id}',
  summary: 'Mark a notification as read or unread',
  path: object({ note_id: idOf('note') }),
  body: object({ read: Type.Boolean() }),
  reply: Notification,
  async run({ caller, origin, path, body, db, now, emit, services }) {
    // A notification marked as unread again may exist beside a newer one of the same group.
    const touched = await db.run(sql`
      update notifications set read_at = case when ${body.read}::boolean then coalesce(read_at, ${now}::timestamptz) end,
        reopened = reopened or (read_at is not null and not ${body.read}::boolean)
      where id = ${path.note_id} and user_id = ${caller.user_id} and not hidden`);
    if (touched === 0) fail('not_found');
    const row = found(
      await db.maybe<NotificationRow>(
        sql`select ${notification_columns} from notifications n where n.id = ${path.note_id}`,
      ),
    );
    const notification = presentNotification(row, services.public_url, languageOfOrigin(origin));
    emit(notificationUpdated, [`user:${caller.user_id}`], { notification });
    return notification;
  },
});
