import {
  Notification,
  notification_columns,
  presentNotification,
  type NotificationRow,
} from '../../domain/notifications/notifications.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { pageOf, pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, optional, Type } from '../../kernel/schema.ts';

export const listNotifications = endpoint({
  id: 'listNotifications',
  route: 'GET /notifications',
  summary: 'List notifications',
  query: object({ unread: optional(Type.Boolean({ description: 'Only unread items.' })), ...pageQuery('note') }),
  reply: listOf(Notification),
  async run({ caller, origin, query, db, services }) {
    const unread = query.unread ? sql`and n.read_at is null` : sql``;
    const rows = await db.many<NotificationRow>(sql`
      select ${notification_columns} from notifications n
      where n.user_id = ${caller.user_id} and not n.hidden ${unread} ${pageOf(query, 'n.id')}`);
    const language = languageOfOrigin(origin);
    return toPage(rows, query, (row) => presentNotification(row, services.public_url, language));
  },
});
