import { Notification, notificationUpdated, presentNotification } from '../../domain/notifications/notifications.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import { markRead } from './queries.ts';

export const updateNotification = endpoint({
  id: 'updateNotification',
  route: 'PATCH /notifications/{note_id}',
  summary: 'Mark a notification as read or unread',
  path: object({ note_id: idOf('note') }),
  body: object({ read: Type.Boolean() }),
  reply: Notification,
  async run({ caller, origin, path, body, db, now, emit, services }) {
    const row = found(await markRead(db, path.note_id, caller.user_id, body.read ? now : null));
    const notification = presentNotification(row, { services }, languageOfOrigin(origin));
    emit(notificationUpdated, [`user:${caller.user_id}`], { notification });
    return notification;
  },
});
