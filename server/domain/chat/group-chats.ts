/** The chats of groups: members, what they may read, and unread counts. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import { component, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { lockGroup } from '../contacts/group-invites.ts';
import { few_members, Group, groupColumns, presentGroup, type GroupRow } from '../contacts/groups.ts';
import { mayOpenGroup, mayReadGroupMessage } from '../visibility/groups.ts';
import { hasMuted } from '../visibility/mutes.ts';
import { row_by_row, type Viewer } from '../visibility/viewer.ts';
import type { LockedMessage } from './message-actions.ts';
import { ChatSettings, presentSettings, stillArchived, type SettingsRow } from './chat-settings.ts';
import { ChatMessage, messageJson, presentMessage, selectChatMessages, type MessageRow } from './messages.ts';

/** A person's membership in the chat of a group. */
export type GroupMembership = {
  group_id: string;
  owner_id: string;
  /** The first message identifier that they may read: messages from before they joined are hidden. */
  since_id: string;
};

/** The caller's membership in the chat of a group. @throws ApiError `not_found` for non-members */
export async function requireGroupMembership(
  db: Queryable,
  group_id: string,
  user_id: string,
): Promise<GroupMembership> {
  const row = found(
    await db.maybe<{ owner_id: string; since: Date | null }>(sql`
      select g.owner_id, case when g.owner_id = ${user_id} then null else (
        select i.decided_at from group_invites i
        where i.group_id = g.id and i.user_id = ${user_id} and i.state = 'accepted') end as since
      from groups g join users u on u.id = g.owner_id where g.id = ${group_id} and ${mayOpenGroup(user_id)}`),
  );
  return { group_id, owner_id: row.owner_id, since_id: firstIdAt('chat', row.since ?? new Date(0)) };
}

/** A condition on messages `m` of a group that a member may read. It begins with what an index supports. */
export const readableIn = ({ group_id, since_id }: GroupMembership, user_id: string) => sql`
  m.group_id = ${group_id} and m.id >= ${since_id} and ${mayReadGroupMessage(user_id)}`;

/**
 * Who receives an event about a message of a group: those who may read it, without those whom a block separates from
 * the actor.
 */
async function selectReaders(db: Queryable, message_id: string, actor_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from chat_messages m cross join lateral (
        select g.owner_id as id from groups g where g.id = m.group_id
        union select i.user_id from group_invites i
          where i.group_id = m.group_id and i.state = 'accepted' and m.created_at >= i.decided_at) p
    where m.id = ${message_id} and not p.id = any(m.hidden_from)
      and not exists (select 1 from blocked_pairs a where a.user_id = ${actor_id} and a.other_id = p.id)`);
  return rows.map(({ id }) => id);
}

/**
 * The other members of a group: who receives a new message, whose devices are notified (not those who have muted the
 * sender), and who is in a block with the sender and neither receives nor reads it.
 */
export async function selectOthers(
  db: Queryable,
  group_id: string,
  user_id: string,
): Promise<{ recipients: string[]; woken: string[]; blocked: string[] }> {
  const rows = await db.many<{ id: string; is_blocked: boolean; is_muted: boolean }>(sql`
    select p.id, exists (select 1 from blocked_pairs a where a.user_id = ${user_id} and a.other_id = p.id) as is_blocked,
      ${hasMuted(sql`p.id`, user_id)} as is_muted
    from (select owner_id as id from groups where id = ${group_id}
          union select user_id from group_invites where group_id = ${group_id} and state = 'accepted') p
    where p.id <> ${user_id}`);
  const [blocked, recipients] = [rows.filter((one) => one.is_blocked), rows.filter((one) => !one.is_blocked)];
  const idsOf = (some: typeof rows) => some.map(({ id }) => id);
  return {
    recipients: idsOf(recipients),
    woken: idsOf(recipients.filter((one) => !one.is_muted)),
    blocked: idsOf(blocked),
  };
}

export type NewGroupMessage = {
  id: string;
  kind: 'text' | 'media';
  body: string;
  file_id: string | null;
  reply_to_id: string | null;
  forwarded: boolean;
};

/** Inserts a message and increments unread counts. The caller has locked the group's row. */
export async function insertGroupMessage(
  { db, now }: Pick<Change, 'db' | 'now'>,
  group_id: string,
  author_id: string,
  { id, kind, body, file_id, reply_to_id, forwarded }: NewGroupMessage,
  { recipients, blocked }: { recipients: string[]; blocked: string[] },
): Promise<void> {
  await db.run(sql`
    with made as (
      insert into chat_messages (id, group_id, author_id, kind, body, file_id, reply_to_id, forwarded, hidden_from, created_at)
      values (${id}, ${group_id}, ${author_id}, ${kind}, ${body}, ${file_id}, ${reply_to_id}, ${forwarded}, ${blocked}::text[], ${now})),
    read as (
      insert into group_chat_reads (group_id, user_id, since_id, read_up_to)
      values (${group_id}, ${author_id}, ${id}, ${id})
      on conflict (group_id, user_id) do update
        set read_up_to = excluded.read_up_to, unread_count = 0, archived = ${stillArchived(now, sql`group_chat_reads`)})
    insert into group_chat_reads (group_id, user_id, since_id, unread_count)
    select ${group_id}, recipient, ${id}, 1 from unnest(${recipients}::text[]) recipient
    on conflict (group_id, user_id) do update set unread_count = group_chat_reads.unread_count + 1,
      archived = ${stillArchived(now, sql`group_chat_reads`)}`);
}

/** Erases the text of a message, and removes it from unread counts. The caller has locked the group's row. */
export async function eraseGroupMessage(
  { db, now }: Pick<Change, 'db' | 'now'>,
  group_id: string,
  message_id: string,
): Promise<void> {
  await db.run(sql`
    with gone as (
      update chat_messages set body = '', file_id = null, deleted_at = ${now} where id = ${message_id}
      returning id, author_id, hidden_from)
    update group_chat_reads r set unread_count = r.unread_count - 1 from gone
    where r.group_id = ${group_id} and r.unread_count > 0 and r.since_id <= gone.id
      and coalesce(r.read_up_to, '') < gone.id and r.user_id <> gone.author_id and not r.user_id = any(gone.hidden_from)`);
}

/**
 * Advances a read marker; it never moves back. The caller has locked the group's row.
 * @returns the remaining unread count, or undefined when the marker did not move
 */
export async function markGroupRead(
  db: Queryable,
  { group_id, since_id }: GroupMembership,
  user_id: string,
  up_to_id: string,
): Promise<number | undefined> {
  const row = await db.maybe<{ unread_count: number }>(sql`
    insert into group_chat_reads as r (group_id, user_id, since_id, read_up_to, unread_count)
    select ${group_id}, ${user_id}, ${since_id}, ${up_to_id}, (
      select count(*)::int from chat_messages m
      where m.group_id = ${group_id} and m.id > ${up_to_id} and m.author_id <> ${user_id} and m.deleted_at is null
        and not ${user_id} = any(m.hidden_from))
    on conflict (group_id, user_id) do update set read_up_to = excluded.read_up_to, unread_count = excluded.unread_count
      where coalesce(r.read_up_to, '') < excluded.read_up_to
    returning unread_count`);
  return row?.unread_count;
}

/** A message of a group that a member may read, deleted or not. @throws ApiError `not_found` */
export async function requireGroupMessage(
  db: Queryable,
  place: GroupMembership,
  user_id: string,
  message_id: string,
): Promise<MessageRow> {
  const [row] = await selectChatMessages(db, sql`${readableIn(place, user_id)} and m.id = ${message_id}`, user_id);
  return row ?? fail('not_found');
}

/**
 * Locks a message of a group, for an action on it; no other action on the group's chat runs concurrently.
 * @throws ApiError `not_found`
 */
export async function lockGroupMessage(
  db: Queryable,
  { group_id, message_id }: { group_id: string; message_id: string },
  user_id: string,
): Promise<LockedMessage & { owner_id: string }> {
  const [, place] = await Promise.all([lockGroup(db, group_id), requireGroupMembership(db, group_id, user_id)]);
  const row = await requireGroupMessage(db, place, user_id, message_id);
  if (row.deleted_at) fail('not_found');
  return {
    family: 'chat',
    place: { group_id },
    row,
    owner_id: place.owner_id,
    selectRecipients: async () => (await selectReaders(db, row.id, user_id)).map((id) => `user:${id}` as const),
    reread: () => requireGroupMessage(db, place, user_id, row.id),
  };
}

/**
 * @throws ApiError `validation_failed` that names `reply_to` when the caller may not read that message there
 */
export async function requireReplyTargetInGroup(
  db: Queryable,
  place: GroupMembership,
  user_id: string,
  reply_to: string | undefined,
): Promise<string | null> {
  if (reply_to === undefined) return null;
  const known = await db.maybe(sql`
    select 1 from chat_messages m where ${readableIn(place, user_id)} and m.id = ${reply_to} and m.deleted_at is null`);
  return known ? reply_to : invalid({ reply_to: 'is not a message in this chat' });
}

/** The chat of a group in a list of chats. */
export const GroupChat = component(
  'GroupChat',
  object({
    group: Group,
    last_message: nullable(ChatMessage),
    unread_count: Type.Integer({ minimum: 0 }),
    settings: ChatSettings,
  }),
);

type GroupChatRow = { group: GroupRow; last_message: MessageRow | null; unread_count: number; settings: SettingsRow };

/** The place of a chat in the list, in the order of the list: `l` and its `group_chat_reads r`. */
const place = sql`(coalesce(r.pinned_at, '-infinity'), coalesce(l.last_id, ''), l.id)`;

/**
 * The place of a cursor: of a group, or of the chat of a message when that was its latest. A group or message that is
 * gone has the place of an unpinned chat by the time of its identifier.
 */
function cursorOf(before_id: string | undefined, user_id: string): Sql {
  if (before_id === undefined) return sql``;
  const message_id = before_id.startsWith('chat_') ? before_id : null;
  const at = `chat_${before_id.slice(before_id.indexOf('_') + 1)}`;
  return sql`, cursor as (
    select coalesce(r.pinned_at, '-infinity') as pinned_at, coalesce(${message_id}::id, l.last_id, '') as last_id, l.id
    from listed l left join group_chat_reads r on r.group_id = l.id and r.user_id = ${user_id}
    where l.id = coalesce((select m.group_id from chat_messages m where m.id = ${message_id}), ${before_id})
    union all
    select '-infinity', ${at}::id, ''::id order by id desc limit 1)`;
}

/**
 * The chats of all groups of a person, one row more than the page: pinned ones first, then by latest message, then
 * those without messages, newest first. One statement.
 */
export async function selectGroupChats(
  db: Queryable,
  user_id: string,
  page: Page & { archived?: boolean },
): Promise<GroupChatRow[]> {
  const rows = await db.many<GroupRow & Omit<GroupChatRow, 'group' | 'settings'> & SettingsRow>(sql`
    with mine as (
      select g.id from groups g where g.owner_id = ${user_id} and g.deleted_at is null
      union all
      select i.group_id from group_invites i where i.user_id = ${user_id} and i.state = 'accepted'),
    listed as (
      select mine.id, last.id as last_id, last.message from mine left join lateral (
        select m.id, ${messageJson(user_id)} as message from chat_messages m
        where m.group_id = mine.id and ${mayReadGroupMessage(user_id)} order by m.id desc limit 1) last on true)
      ${cursorOf(page.before_id, user_id)}
    select ${groupColumns(user_id, few_members)}, l.message as last_message, coalesce(r.unread_count, 0) as unread_count,
      r.muted_until, coalesce(r.archived, false) as archived, r.pinned_at
    from listed l
      cross join lateral (select o.* from groups o where o.id = l.id ${row_by_row}) g
      cross join lateral (select o.* from users o where o.id = g.owner_id ${row_by_row}) u
      left join group_chat_reads r on r.group_id = g.id and r.user_id = ${user_id}
    where ${mayOpenGroup(user_id)} and coalesce(r.archived, false) = ${page.archived ?? false}
      ${page.before_id === undefined ? sql`` : sql`and ${place} < (select c.pinned_at, c.last_id, c.id from cursor c)`}
    order by r.pinned_at desc nulls last, l.last_id desc nulls last, g.id desc
    limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`);
  return rows.map(({ last_message, unread_count, muted_until, archived, pinned_at, ...group }) => ({
    group,
    last_message,
    unread_count,
    settings: { muted_until, archived, pinned_at },
  }));
}

/** The chat of a group as a member sees it in a list. */
export function presentGroupChat(row: GroupChatRow, viewer: Viewer): Static<typeof GroupChat> {
  return {
    group: presentGroup(row.group, viewer),
    last_message: row.last_message && presentMessage(row.last_message, viewer),
    unread_count: row.unread_count,
    settings: presentSettings(row.settings, viewer.now),
  };
}
