import type { GroupMembership } from '../../domain/chat/group-chats.ts';
import { areNotBlocked } from '../../domain/visibility/people.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** How a thread is cleared: it stays in the lists, or is removed from them until a message is sent. */
type Clearing = { thread_id: string; user_id: string; is_removed: boolean };

/**
 * Clears a thread for one of its two people up to its newest message, which needs no row for each of them. The caller has
 * locked the pair. What was unread no longer counts, and stays unread for its sender.
 */
export async function clearThreadOf(db: Queryable, { thread_id, user_id, is_removed }: Clearing): Promise<void> {
  const removed = is_removed ? sql`, folder = 'none', archived = false, pinned_at = null` : sql``;
  await db.run(sql`
    update dm_members set cleared_up_to = 'dm_' || sort_key, unread_count = 0, marked_unread = false ${removed}
    where thread_id = ${thread_id} and user_id = ${user_id}`);
}

/** Whether a person has deleted a thread, and it has not returned since. */
export async function isRemoved(db: Queryable, thread_id: string, user_id: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from dm_members d join users u on u.id = d.peer_id
    where d.thread_id = ${thread_id} and d.user_id = ${user_id} and d.folder = 'none' and d.cleared_up_to is not null
      and u.suspended_at is null and ${areNotBlocked(user_id, 'd.peer_id')}`);
  return row !== undefined;
}

/**
 * Clears the chat of a group for a member up to its newest message, of those that they may know of: the answer names it. The
 * caller has locked the group's row.
 * @returns that message, or undefined when there is none
 */
export async function clearGroupChatOf(
  db: Queryable,
  { group_id, since_id }: GroupMembership,
  user_id: string,
): Promise<string | undefined> {
  const newest = sql`(select max(m.id) from chat_messages m where m.group_id = ${group_id})`;
  // What a block hides at the end, which may be much, is skipped at once.
  const end = sql`coalesce((
    select h.first_id from chat_hidden_runs h
    where h.group_id = ${group_id} and h.user_id = ${user_id} and h.last_id = ${newest}), 'chat_~')`;
  const row = await db.maybe<{ cleared_up_to: string }>(sql`
    insert into group_chat_reads as r (group_id, user_id, since_id, cleared_up_to)
    select ${group_id}, ${user_id}, ${since_id}, known.id from (
      select m.id from chat_messages m
      where m.group_id = ${group_id} and m.id >= ${since_id} and m.id < ${end} and not ${user_id} = any(m.hidden_from)
      order by m.id desc limit 1) known
    on conflict (group_id, user_id) do update
      set cleared_up_to = excluded.cleared_up_to, unread_count = 0, unread_mentions = 0, marked_unread = false
    returning r.cleared_up_to`);
  return row?.cleared_up_to;
}
