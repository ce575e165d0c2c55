import { assignSettings, type SettingsBody, type SettingsRow } from '../../domain/chat/chat-settings.ts';
import { type GroupMembership, readableIn } from '../../domain/chat/group-chats.ts';
import { pushedFilesJson, type PushedFiles } from '../../domain/chat/message-media.ts';
import { type MessageRow, selectChatMessages } from '../../domain/chat/messages.ts';
import { mayReadGroupMessage } from '../../domain/visibility/groups.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';
import type { Static } from '../../kernel/schema.ts';

/** A message that was just written. */
export async function selectWritten(
  db: Queryable,
  message_id: string,
  viewer_id: string,
): Promise<MessageRow | undefined> {
  return (await selectChatMessages(db, sql`m.id = ${message_id}`, viewer_id))[0];
}

/** Whether a member of a group can read a message in its chat. */
export async function isReadable(
  db: Queryable,
  place: GroupMembership,
  user_id: string,
  message_id: string,
): Promise<boolean> {
  return (
    (await db.run(sql`select 1 from chat_messages m where ${readableIn(place, user_id)} and m.id = ${message_id}`)) > 0
  );
}

/** Stores a member's settings of a group's chat. */
export async function updateSettings(
  db: Queryable,
  { group_id, since_id }: GroupMembership,
  user_id: string,
  settings: Static<typeof SettingsBody>,
  now: Date,
): Promise<SettingsRow> {
  const [, row] = await Promise.all([
    db.run(sql`
      insert into group_chat_reads (group_id, user_id, since_id)
      values (${group_id}, ${user_id}, ${since_id}) on conflict do nothing`),
    db.one<SettingsRow>(sql`
      update group_chat_reads r set ${assignSettings(settings, now, sql`r`)}
      where group_id = ${group_id} and user_id = ${user_id} returning muted_until, archived, pinned_at, marked_unread`),
  ]);
  return row;
}

type PushedGroupMessage = { group_id: string; group_name: string; body: string; from: string; files: PushedFiles };

/** What a push shows of a message in a group, unless it is deleted, read, muted or hidden meanwhile. */
export function selectGroupMessageToPush(
  db: Queryable,
  message_id: string,
  user_id: string,
  now: Date,
): Promise<PushedGroupMessage | undefined> {
  return db.maybe<PushedGroupMessage>(sql`
    select m.group_id, gr.name as group_name, m.body, a.display_name as "from", ${pushedFilesJson} as files
    from chat_messages m join groups gr on gr.id = m.group_id join users a on a.id = m.author_id
    where m.id = ${message_id} and m.deleted_at is null and ${mayReadGroupMessage(user_id)}
      and not exists (
        select 1 from group_chat_reads r
        where r.group_id = m.group_id and r.user_id = ${user_id}
          and (r.read_up_to >= m.id or r.muted_until > ${now}))`);
}
