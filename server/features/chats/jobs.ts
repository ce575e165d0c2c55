import { describeFiles } from '../../domain/chat/message-media.ts';
import { deliverPush, type Addressed } from '../../domain/notifications/push.ts';
import { job } from '../../kernel/job.ts';
import { selectGroupMessageToPush } from './queries.ts';

/** Notifies one device of a message in a group, unless it is deleted, read or hidden meanwhile. */
export const pushGroupMessage = job<{ message_id: string } & Addressed>({
  name: 'push.group-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await selectGroupMessageToPush(services.db, message_id, addressed.user_id, services.clock.now());
    if (!row) return;
    const files = describeFiles(row.files, row.from, 'Sent a file');
    await deliverPush(services, addressed, {
      subject: { type: 'group', id: row.group_id },
      title: row.group_name,
      text: `${row.from}: ${row.body || files.text}`,
      ...(row.body === '' && { values: files.values }),
      data: { type: 'chat.message', message_id, url: `${services.public_url}/app/messages/group/${row.group_id}` },
      urgent: false,
      ttl_s: 24 * 60 * 60,
    });
  },
});
