import { deliverPush, type Addressed } from '../../domain/notifications/push.ts';
import { job } from '../../kernel/job.ts';
import { selectGroupMessageToPush, selectWidgetMessageToPush } from './queries.ts';

/** Notifies one device of a message in a group, unless it is deleted, read or hidden meanwhile. */
export const pushGroupMessage = job<{ message_id: string } & Addressed>({
  name: 'push.group-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await selectGroupMessageToPush(services.db, message_id, addressed.user_id, services.clock.now());
    if (!row) return;
    await deliverPush(services, addressed, {
      subject: { type: 'group', id: row.group_id },
      title: row.group_name,
      text: `${row.from}: ${row.body || 'Sent a file'}`,
      ...(row.body === '' && { values: { file_from: row.from } }),
      data: { type: 'chat.message', message_id, url: `${services.public_url}/app/messages/group/${row.group_id}` },
      urgent: false,
      ttl_s: 24 * 60 * 60,
    });
  },
});

/** Notifies one device of a message in a widget, unless it is deleted or hidden meanwhile. */
export const pushWidgetMessage = job<{ message_id: string } & Addressed>({
  name: 'push.widget-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await selectWidgetMessageToPush(services.db, message_id, addressed.user_id);
    if (!row) return;
    await deliverPush(services, addressed, {
      subject: { type: 'widget', id: row.widget_id },
      title: row.title,
      text: `${row.from}: ${row.body || 'Sent a file'}`,
      ...(row.body === '' && { values: { file_from: row.from } }),
      data: { type: 'chat.message', message_id, url: `${services.public_url}/app/widgets/${row.widget_id}` },
      urgent: false,
      ...(row.guest_id === null ? {} : { guest_id: row.guest_id }),
      ttl_s: 24 * 60 * 60,
    });
  },
});
