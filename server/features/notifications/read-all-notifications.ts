import { notificationsRead } from '../../domain/notifications/notifications.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { markAllRead } from './queries.ts';

export const readAllNotifications = endpoint({
  id: 'readAllNotifications',
  route: 'POST /notifications/read-all',
  summary: 'Mark all notifications as read',
  body: object({ up_to_id: optional(idOf('note')) }),
  status: [204],
  async run({ caller, body, db, now, emit }) {
    const read = await markAllRead(db, caller.user_id, body.up_to_id, now);
    if (read > 0) emit(notificationsRead, [`user:${caller.user_id}`], { up_to_id: body.up_to_id ?? null });
  },
});
