import { describeFiles, pushedFilesJson, type PushedFiles } from '../../../domain/chat/message-media.ts';
import { deliverPush, type Addressed } from '../../../domain/notifications/push.ts';
import { maySeeThread } from '../../../domain/visibility/threads.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';

/** Notifies one device of a message, unless it is deleted, read or hidden meanwhile, or the thread no longer active. */
export const pushDm = job<{ message_id: string } & Addressed>({
  name: 'push.dm',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await services.db.maybe<{ thread_id: string; body: string; from: string; files: PushedFiles }>(sql`
      select d.thread_id, m.body, u.display_name as "from", ${pushedFilesJson} as files
      from dm_messages m join dm_members d on d.thread_id = m.thread_id join users u on u.id = d.peer_id
      where m.id = ${message_id} and m.deleted_at is null and d.folder = 'main'
        and coalesce(greatest(d.read_up_to, d.cleared_up_to), '') < m.id
        and coalesce(d.muted_until <= ${services.clock.now()}, true) and ${maySeeThread(addressed.user_id)}`);
    if (!row) return;
    const files = describeFiles(row.files, row.from, 'Sent you a file');
    await deliverPush(services, addressed, {
      subject: { type: 'thread', id: row.thread_id },
      title: row.from,
      text: row.body || files.text,
      ...(row.body === '' && { values: files.values }),
      data: { type: 'dm.message', message_id, url: `${services.public_url}/app/messages/${row.thread_id}` },
      urgent: false,
      ttl_s: 24 * 60 * 60,
    });
  },
});
