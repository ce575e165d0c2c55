/**
 * Mentions in the chats of groups: members whom a message names by their username, if they may read it. Anybody else who
 * is named is not a mention, whether their account exists or not.
 */
import { sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { admitMentions } from '../visibility/stranger-limits.ts';
import { clearNotificationsExcept } from '../notifications/clear-notifications.ts';
import { notify } from '../notifications/notify.ts';
import { resolvePeople, usernamesIn, type MentionRow } from '../social/mentions.ts';
import { seenUpTo } from './cleared-chats.ts';
import { selectOthers, selectReaders, type MentionedMembers, type OtherMembers } from './group-chats.ts';
import type { MessageRow } from './messages.ts';

/** The named people whom a message mentions, of those who may read it. */
export function mentionsAmong(
  named: MentionRow[],
  { recipients, muting }: Pick<OtherMembers, 'recipients' | 'muting'>,
): MentionedMembers {
  const [readers, ignoring] = [new Set(recipients), new Set(muting)];
  const mentions = named.filter(({ id }) => readers.has(id));
  return { mentions, mentioned: mentions.map(({ id }) => id).filter((id) => !ignoring.has(id)) };
}

/**
 * Notifies mentioned members, within the limits for mentions.
 * @param alerted those whose devices are notified of the message itself: a second push would say the same
 */
export async function notifyMentionedMembers(
  change: Change,
  { group_id, message_id, author_id }: { group_id: string; message_id: string; author_id: string },
  mentioned: string[],
  alerted: string[] = [],
): Promise<void> {
  if (mentioned.length === 0) return;
  const act = { kind: 'group_mention' as const, actor_id: author_id, source_id: message_id };
  const subject = { type: 'group' as const, id: group_id };
  const admitted = await admitMentions(change, { ...act, mentioned });
  // Their statements share round trips, since the group is locked meanwhile.
  await Promise.all(admitted.map((to) => notify(change, { ...act, subject, to, quiet: alerted.includes(to) })));
}

/**
 * Stores whom the edited text of a message mentions: newly mentioned members are notified, and those whom it no longer
 * mentions lose the notification. The caller has locked the group's row.
 */
export async function mentionInEdit(
  change: Change,
  { group_id, row }: { group_id: string; row: MessageRow },
  author_id: string,
  body: string,
): Promise<MentionRow[]> {
  const usernames = usernamesIn(body);
  if (usernames.length === 0 && row.mentions.length === 0) return [];
  const { db } = change;
  const [readers, { muting }, named] = await Promise.all([
    selectReaders(db, row.id, author_id),
    selectOthers(change, group_id, author_id),
    resolvePeople(db, usernames, author_id),
  ]);
  const others = { recipients: readers.filter((id) => id !== author_id), muting };
  const { mentions, mentioned } = mentionsAmong(named, others);
  const ids = mentions.map(({ id }) => id);
  await updateMentions(change, group_id, row.id, { mentions, mentioned });
  if (row.mentions.length > 0) await clearNotificationsExcept(change, row.id, ids);
  const before = new Set(row.mentions.map(({ id }) => id));
  const added = mentioned.filter((id) => !before.has(id));
  await notifyMentionedMembers(change, { group_id, message_id: row.id, author_id }, added);
  return mentions;
}

/** Changes whom a message mentions, and the unread mentions of those who have not read it. */
async function updateMentions(
  { db }: Pick<Change, 'db'>,
  group_id: string,
  message_id: string,
  { mentions, mentioned }: MentionedMembers,
): Promise<void> {
  await db.run(sql`
    with changed as (
      update chat_messages m set mentions = ${JSON.stringify(mentions)}::jsonb, mentioned = ${mentioned}::text[]
      from (select id, mentioned from chat_messages where id = ${message_id}) before where m.id = before.id
      returning m.id, m.mentioned as after, before.mentioned as before)
    update group_chat_reads r
    set unread_mentions = r.unread_mentions + (r.user_id = any(changed.after))::int - (r.user_id = any(changed.before))::int
    from changed
    where r.group_id = ${group_id} and r.since_id <= changed.id and ${seenUpTo(sql`r`)} < changed.id
      and (r.user_id = any(changed.after)) <> (r.user_id = any(changed.before))`);
}
