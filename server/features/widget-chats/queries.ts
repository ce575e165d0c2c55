import { pushedFilesJson, type PushedFiles } from '../../domain/chat/message-media.ts';
import { mayReadWidgetMessage } from '../../domain/visibility/widgets.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';

type PushedWidgetMessage = {
  widget_id: string;
  title: string;
  body: string;
  from: string;
  /** The guest who wrote it; null for an agent. */
  guest_id: string | null;
  files: PushedFiles;
};

/** What a push shows of a message in a widget, unless it is deleted or hidden meanwhile. */
export function selectWidgetMessageToPush(
  db: Queryable,
  message_id: string,
  user_id: string,
): Promise<PushedWidgetMessage | undefined> {
  return db.maybe<PushedWidgetMessage>(sql`
    select m.widget_id, coalesce(nullif(wi.title, ''), '*' || ta.name) as title, m.body,
      coalesce(a.display_name, gu.name) as "from", case when m.author_id is null then m.guest_id end as guest_id,
      ${pushedFilesJson} as files
    from chat_messages m join widgets wi on wi.id = m.widget_id join tags ta on ta.id = wi.tag_id
      left join users a on a.id = m.author_id left join guests gu on gu.id = m.guest_id
    where m.id = ${message_id} and m.deleted_at is null and ${mayReadWidgetMessage(user_id)}`);
}
