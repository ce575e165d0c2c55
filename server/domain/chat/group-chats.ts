/** The chats of groups: members, what they may read, and unread counts. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { firstIdAt, idAfter } from '../../kernel/id.ts';
import type { Span } from '../../kernel/page.ts';
import type { Change } from '../../kernel/services.ts';
import { lockGroup } from '../contacts/group-invites.ts';
import type { MentionRow } from '../social/mentions.ts';
import { mayOpenGroup, couldReadGroupMessage } from '../visibility/groups.ts';
import { hasMuted } from '../visibility/mutes.ts';
import { areNotBlocked, isWriterShown } from '../visibility/people.ts';
import type { LockedMessage } from './message-actions.ts';
import { readChatPage, readPageByWriter, type PagedChat } from './chat-pages.ts';
import { stillArchived } from './chat-settings.ts';
import { seenUpTo } from './cleared-chats.ts';
import { fileFlags } from './message-media.ts';
import { extendHiddenRuns, idsBetweenRuns } from './hidden-runs.ts';
import { file_columns, fileValues, selectChatMessages, type MessageRow, type NewMessage } from './messages.ts';

/** A person's membership in the chat of a group. */
export type GroupMembership = {
  group_id: string;
  owner_id: string;
  /** The first message identifier that they may read: those from before they joined, and what they have cleared, are hidden. */
  since_id: string;
  /** Whether messages in a row are hidden from them, and from any member. */
  has_hidden: boolean;
  hides_some: boolean;
};

/** The caller's membership in the chat of a group. @throws ApiError `not_found` for non-members */
export async function requireGroupMembership(
  db: Queryable,
  group_id: string,
  user_id: string,
): Promise<GroupMembership> {
  const row = found(
    await db.maybe<{
      owner_id: string;
      since: Date | null;
      cleared_up_to: string | null;
      has_hidden: boolean;
      hides_some: boolean;
    }>(sql`
      select g.owner_id,
        (select r.cleared_up_to from group_chat_reads r where r.group_id = g.id and r.user_id = ${user_id}) as cleared_up_to,
        exists (select from chat_hidden_runs h where h.group_id = g.id) as hides_some,
        exists (select from chat_hidden_runs h where h.group_id = g.id and h.user_id = ${user_id}) as has_hidden, case when g.owner_id = ${user_id} then null else (
        select i.decided_at from group_invites i
        where i.group_id = g.id and i.user_id = ${user_id} and i.state = 'accepted') end as since
      from groups g join users u on u.id = g.owner_id where g.id = ${group_id} and ${mayOpenGroup(user_id)}`),
  );
  const { since, cleared_up_to, ...membership } = row;
  const joined_id = firstIdAt('chat', since ?? new Date(0));
  const after_cleared = cleared_up_to === null ? '' : idAfter(cleared_up_to);
  return { group_id, ...membership, since_id: joined_id > after_cleared ? joined_id : after_cleared };
}

/** A condition on messages `m` of a group that a member may read. It begins with what an index supports. */
export const readableIn = ({ group_id, since_id }: GroupMembership, user_id: string) => sql`
  m.group_id = ${group_id} and m.id >= ${since_id} and ${couldReadGroupMessage(user_id)}`;

/** A part of the messages of a group that a member may read. */
export async function selectReadable(
  db: Queryable,
  place: GroupMembership,
  user_id: string,
  span: Span,
): Promise<MessageRow[]> {
  const chat: PagedChat = {
    table: 'chat_messages',
    of: sql`m.group_id = ${place.group_id}`,
    since_id: place.since_id,
    may_read: couldReadGroupMessage(user_id),
    is_shown: isWriterShown(user_id),
  };
  const select = (from: Sql, which: Sql) => selectChatMessages(db, which, user_id, from);
  if (!place.has_hidden) return readChatPage(chat, span, select);
  const reader = { group_id: place.group_id, user_id };
  const ids = idsBetweenRuns(reader, readableIn(place, user_id), span);
  const order = span.is_oldest_first ? sql`` : sql`desc`;
  const rows = await select(sql`chat_messages m`, sql`m.id = any(array(${ids})) order by m.id ${order}`);
  return rows.length < span.limit ? readPageByWriter(chat, span, select) : rows;
}

/**
 * Who receives an event about a message of a group: those who may read it, without those whom a block separates from
 * the actor.
 */
export async function selectReaders(db: Queryable, message_id: string, actor_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from chat_messages m cross join lateral (
        select g.owner_id as id from groups g where g.id = m.group_id
        union select i.user_id from group_invites i
          where i.group_id = m.group_id and i.state = 'accepted' and m.created_at >= i.decided_at) p
    where m.id = ${message_id} and not p.id = any(m.hidden_from)
      and not exists (
        select from group_chat_reads r where r.group_id = m.group_id and r.user_id = p.id and r.cleared_up_to >= m.id)
      and ${areNotBlocked(actor_id, 'p.id')}`);
  return rows.map(({ id }) => id);
}

/** The other members of a group, as the sender of a message reaches them. */
export type OtherMembers = {
  /** Who receives a new message. */
  recipients: string[];
  /** The recipients whose devices are notified of it: those who have muted neither the sender nor the chat. */
  alerted: string[];
  /** The recipients who have muted the sender. */
  muting: string[];
  /** Who is in a block with the sender, and neither receives nor reads it. */
  blocked: string[];
};

/** The other members of a group. */
export async function selectOthers(
  { db, now }: Pick<Change, 'db' | 'now'>,
  group_id: string,
  user_id: string,
): Promise<OtherMembers> {
  const rows = await db.many<{ id: string; is_blocked: boolean; is_muting: boolean; is_chat_muted: boolean }>(sql`
    select p.id, not ${areNotBlocked(user_id, 'p.id')} as is_blocked,
      ${hasMuted(sql`p.id`, user_id)} as is_muting,
      exists (select 1 from group_chat_reads r
        where r.group_id = ${group_id} and r.user_id = p.id and r.muted_until > ${now}) as is_chat_muted
    from (select owner_id as id from groups where id = ${group_id}
          union select user_id from group_invites where group_id = ${group_id} and state = 'accepted') p
    where p.id <> ${user_id}`);
  const recipients = rows.filter((one) => !one.is_blocked);
  const idsOf = (some: typeof rows) => some.map(({ id }) => id);
  return {
    recipients: idsOf(recipients),
    alerted: idsOf(recipients.filter((one) => !one.is_muting && !one.is_chat_muted)),
    muting: idsOf(recipients.filter((one) => one.is_muting)),
    blocked: idsOf(rows.filter((one) => one.is_blocked)),
  };
}

/** Whom a message of a group mentions. */
export type MentionedMembers = {
  /** As readers see it. */
  mentions: MentionRow[];
  /** Those of them who have not muted the author. */
  mentioned: string[];
};

/** A message of a group before it is inserted. */
export type NewGroupMessage = { id: string } & NewMessage & MentionedMembers;

/**
 * The time at which a member, row `at`, reads up to a new position, and from where; unchanged unless they read something
 * that others wrote, so that an answer does not hide when the question was read.
 */
const readAt = (at: Sql, has_read: Sql, now: Date): Sql => sql`
  read_from = case when ${has_read} then ${at}.read_up_to else ${at}.read_from end,
  read_at = case when ${has_read} then ${now}::timestamptz else ${at}.read_at end`;

/**
 * What is read counts as delivered then, unless it was before: a delivery without a time would tell the author that it was
 * read, also of a member who does not show that.
 */
const deliveredWithReading: Sql = (() => {
  const is_delivery = sql`coalesce(r.delivered_up_to, '') < excluded.delivered_up_to`;
  return sql`
  delivered_from = case when ${is_delivery} then greatest(r.delivered_up_to, r.read_up_to) else r.delivered_from end,
  delivered_at = case when ${is_delivery} then excluded.delivered_at else r.delivered_at end,
  delivered_up_to = greatest(r.delivered_up_to, excluded.delivered_up_to)`;
})();

/** Inserts a message and increments unread counts. The caller has locked the group's row. */
export async function insertGroupMessage(
  { db, now }: Pick<Change, 'db' | 'now'>,
  { group_id, hides_some }: GroupMembership,
  author_id: string,
  { id, kind, body, file_ids, reply_to_id, forwarded, mentions, mentioned }: NewGroupMessage,
  { recipients, blocked }: Pick<OtherMembers, 'recipients' | 'blocked'>,
): Promise<void> {
  const runs = hides_some || blocked.length > 0 ? extendHiddenRuns(db, group_id, id, blocked) : undefined;
  const inserted = db.run(sql`
    with made as (
      insert into chat_messages (
        id, group_id, author_id, kind, body, ${file_columns}, reply_to_id, forwarded, hidden_from, mentions, mentioned, created_at,
        has_media, has_documents)
      values (${id}, ${group_id}, ${author_id}, ${kind}, ${body}, ${fileValues(file_ids)}, ${reply_to_id}, ${forwarded},
        ${blocked}::text[], ${JSON.stringify(mentions)}::jsonb, ${mentioned}::text[], ${now},
        ${fileFlags(file_ids)})),
    read as (
      insert into group_chat_reads (group_id, user_id, since_id, read_up_to, read_at)
      values (${group_id}, ${author_id}, ${id}, ${id}, ${now})
      on conflict (group_id, user_id) do update
        set read_up_to = excluded.read_up_to, ${readAt(sql`group_chat_reads`, sql`group_chat_reads.unread_count > 0`, now)},
          unread_count = 0, unread_mentions = 0, archived = ${stillArchived(now, sql`group_chat_reads`)})
    insert into group_chat_reads (group_id, user_id, since_id, unread_count, unread_mentions)
    select ${group_id}, recipient, ${id}, 1, (recipient = any(${mentioned}::text[]))::int
    from unnest(${recipients}::text[]) recipient
    on conflict (group_id, user_id) do update set unread_count = group_chat_reads.unread_count + 1,
      unread_mentions = group_chat_reads.unread_mentions + excluded.unread_mentions,
      archived = ${stillArchived(now, sql`group_chat_reads`)}`);
  await Promise.all([runs, inserted]);
}

/** Erases the text of a message, and removes it from unread counts. The caller has locked the group's row. */
export async function eraseGroupMessage(
  { db, now }: Pick<Change, 'db' | 'now'>,
  group_id: string,
  message_id: string,
): Promise<void> {
  await db.run(sql`
    with gone as (
      update chat_messages m set body = '', mentions = '[]', mentioned = '{}', file_id = null, is_album = false, deleted_at = ${now}
      from (select id, mentioned from chat_messages where id = ${message_id}) before where m.id = before.id
      returning m.id, m.author_id, m.hidden_from, before.mentioned)
    update group_chat_reads r set unread_count = r.unread_count - 1,
      unread_mentions = r.unread_mentions - (r.user_id = any(gone.mentioned))::int
    from gone
    where r.group_id = ${group_id} and r.unread_count > 0 and r.since_id <= gone.id
      and ${seenUpTo(sql`r`)} < gone.id and r.user_id <> gone.author_id and not r.user_id = any(gone.hidden_from)`);
}

/**
 * Advances a read marker; it never moves back. Counts what it passes, and not what remains, so that each message is counted
 * once. The caller has locked the group's row.
 * @returns what remains unread, or undefined when the marker did not move
 */
export async function markGroupRead(
  { db, now }: Pick<Change, 'db' | 'now'>,
  { group_id, since_id }: GroupMembership,
  user_id: string,
  up_to_id: string,
): Promise<{ unread_count: number; unread_mentions: number } | undefined> {
  return db.maybe<{ unread_count: number; unread_mentions: number }>(sql`
    with before as (select * from group_chat_reads where group_id = ${group_id} and user_id = ${user_id}),
    passed as (
      select count(*)::int as count, (count(*) filter (where ${user_id} = any(m.mentioned)))::int as mentions
      from chat_messages m
      where m.group_id = ${group_id} and m.id > coalesce((select ${seenUpTo(sql`before`)} from before), '')
        and m.id >= coalesce((select since_id from before), ${since_id}) and m.id <= ${up_to_id}
        and m.author_id <> ${user_id} and m.deleted_at is null and not ${user_id} = any(m.hidden_from))
    insert into group_chat_reads as r (
      group_id, user_id, since_id, read_up_to, read_at, delivered_up_to, delivered_at, unread_count, unread_mentions)
    select ${group_id}, ${user_id}, coalesce((select since_id from before), ${since_id}), ${up_to_id}, ${now}, ${up_to_id}, ${now},
      greatest(0, coalesce((select unread_count from before), 0) - passed.count),
      greatest(0, coalesce((select unread_mentions from before), 0) - passed.mentions) from passed
    on conflict (group_id, user_id) do update set read_up_to = excluded.read_up_to, ${readAt(sql`r`, sql`(select count from passed) > 0`, now)},
      ${deliveredWithReading},
      marked_unread = false, unread_count = excluded.unread_count,
      unread_mentions = excluded.unread_mentions
      where coalesce(r.read_up_to, '') < excluded.read_up_to
    returning unread_count, unread_mentions`);
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
