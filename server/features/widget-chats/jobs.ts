import { describeFiles } from '../../domain/chat/message-media.ts';
import { deliverPush, type Addressed } from '../../domain/notifications/push.ts';
import { job } from '../../kernel/job.ts';
import { selectWidgetMessageToPush } from './queries.ts';

/** Notifies one device of a message in a widget, unless it is deleted or hidden meanwhile. */
export const pushWidgetMessage = job<{ message_id: string } & Addressed>({
  name: 'push.widget-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await selectWidgetMessageToPush(services.db, message_id, addressed.user_id);
    if (!row) return;
    const files = describeFiles(row.files, row.from, 'Sent a file');
    await deliverPush(services, addressed, {
      subject: { type: 'widget', id: row.widget_id },
      title: row.title,
      text: `${row.from}: ${row.body || files.text}`,
      ...(row.body === '' && { values: files.values }),
      data: { type: 'chat.message', message_id, url: `${services.public_url}/app/widgets/${row.widget_id}` },
      urgent: false,
      ...(row.guest_id === null ? {} : { guest_id: row.guest_id }),
      ttl_s: 24 * 60 * 60,
    });
  },
});
