import { deliverPush, type Addressed } from '../../domain/notifications/push.ts';
import { mayReadGroupMessage } from '../../domain/visibility/groups.ts';
import { mayReadWidgetMessage } from '../../domain/visibility/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';

/** Notifies one device of a message in a group, unless it is deleted, read or hidden meanwhile. */
export const pushGroupMessage = job<{ message_id: string } & Addressed>({
  name: 'push.group-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await services.db.maybe<{ group_id: string; group_name: string; body: string; from: string }>(sql`
      select m.group_id, gr.name as group_name, m.body, a.display_name as "from"
      from chat_messages m join groups gr on gr.id = m.group_id join users a on a.id = m.author_id
      where m.id = ${message_id} and m.deleted_at is null and ${mayReadGroupMessage(addressed.user_id)}
        and not exists (
          select 1 from group_chat_reads r
          where r.group_id = m.group_id and r.user_id = ${addressed.user_id} 
            and (r.read_up_to >= m.id or r.muted_until > ${services.clock.now()}))`);
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

type PushedWidgetMessage = {
  widget_id: string;
  title: string;
  body: string;
  from: string;
  /** The guest who wrote it; null for an agent. */
  guest_id: string | null;
};

/** Notifies one device of a message in a widget, unless it is deleted or hidden meanwhile. */
export const pushWidgetMessage = job<{ message_id: string } & Addressed>({
  name: 'push.widget-message',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const row = await services.db.maybe<PushedWidgetMessage>(sql`
      select m.widget_id, coalesce(nullif(wi.title, ''), '*' || ta.name) as title, m.body,
        coalesce(a.display_name, gu.name) as "from", case when m.author_id is null then m.guest_id end as guest_id
      from chat_messages m join widgets wi on wi.id = m.widget_id join tags ta on ta.id = wi.tag_id
        left join users a on a.id = m.author_id left join guests gu on gu.id = m.guest_id
      where m.id = ${message_id} and m.deleted_at is null and ${mayReadWidgetMessage(addressed.user_id)}`);
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
