import { Notification, presentNotification } from '../../domain/notifications/notifications.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, optional, Type } from '../../kernel/schema.ts';
import { selectNotifications } from './queries.ts';

export const listNotifications = endpoint({
  id: 'listNotifications',
  route: 'GET /notifications',
  summary: 'List your notifications',
  query: object({ unread: optional(Type.Boolean({ description: 'Only unread items.' })), ...pageQuery('note') }),
  reply: listOf(Notification),
  async run({ caller, origin, query, db, services }) {
    const rows = await selectNotifications(db, caller.user_id, query);
    const language = languageOfOrigin(origin);
    return toPage(rows, query, (row) => presentNotification(row, { services }, language));
  },
});
