/** The list of the chats of a person's groups. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { timeOfId } from '../../kernel/id.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import { component, idOf, moment, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { few_members, Group, groupColumns, presentGroup, type GroupRow } from '../contacts/groups.ts';
import { mayOpenGroup, couldReadGroupMessage } from '../visibility/groups.ts';
import { isWriterShown } from '../visibility/people.ts';
import { row_by_row, type Viewer } from '../visibility/viewer.ts';
import { newestInChat } from './chat-pages.ts';
import { ChatSettings, presentSettings, type SettingsRow } from './chat-settings.ts';
import { ChatMessage, messageJson, presentMessage, type MessageRow } from './messages.ts';

/** The chat of a group in a list of chats. */
export const GroupChat = component(
  'GroupChat',
  object({
    group: Group,
    last_message: nullable(ChatMessage),
    unread_count: Type.Integer({ minimum: 0 }),
    unread_mentions: Type.Integer({
      minimum: 0,
      description: 'How many of the unread messages mention you, except those of people whom you had muted.',
    }),
    read_up_to: nullable(idOf('chat'), { description: 'The last message that you have read. An extension.' }),
    cleared_up_to: nullable(idOf('chat'), {
      description: 'The last message when you cleared the chat for yourself; you read later ones only. An extension.',
    }),
    delivered_up_to: nullable(idOf('chat'), {
      description: 'The last message that one of your devices has received, or that you have read. An extension.',
    }),
    settings: ChatSettings,
    active_at: nullable(moment, {
      description: 'When its newest message was written, also one that you have cleared. An extension.',
    }),
  }),
);

type GroupChatRow = {
  group: GroupRow;
  last_message: MessageRow | null;
  unread_count: number;
  unread_mentions: number;
  read_up_to: string | null;
  delivered_up_to: string | null;
  cleared_up_to: string | null;
  settings: SettingsRow;
  /** The newest message that they may read, or have cleared. */
  last_id: string | null;
};

/** The newest readable message `m` of group `mine` between two others. */
const readableBetween = (user_id: string, lowest: Sql, highest: Sql): Sql =>
  newestInChat(
    {
      table: 'chat_messages',
      of: sql`m.group_id = mine.id`,
      may_read: couldReadGroupMessage(user_id),
      is_shown: isWriterShown(user_id),
    },
    (id) => sql`${id} >= r.since_id and ${id} > greatest(r.cleared_up_to, ${lowest}) and ${id} < ${highest}`,
    { lowest: sql`greatest(r.since_id, r.cleared_up_to, ${lowest})`, highest },
  );

/**
 * The newest message of group `mine` that a member may read: newer than what a block has hidden last, or else older than
 * that. Without unread counts there is none since they joined.
 */
const newestReadable = (user_id: string): Sql => sql`
  select m.id, ${messageJson(user_id)} as message
  from group_chat_reads r
    left join lateral (
      select h.first_id, h.last_id from chat_hidden_runs h
      where h.group_id = mine.id and h.user_id = ${user_id} order by h.first_id desc limit 1) run on true
    cross join lateral (
      ${readableBetween(user_id, sql`coalesce(run.last_id, '')`, sql`'chat_~'`)} union all ${readableBetween(user_id, sql`''`, sql`run.first_id`)}
      order by id desc limit 1) m
  where r.group_id = mine.id and r.user_id = ${user_id}`;

/** The position of a chat in the list, in the order of the list: `l` and its `group_chat_reads r`. */
const position = sql`(coalesce(r.pinned_at, '-infinity'), coalesce(l.last_id, ''), l.id)`;

/**
 * The position of a cursor: of a group, or of the chat of a message when that was its latest. A group or message that
 * is gone has the position of an unpinned chat by the time of its identifier.
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
      select mine.id, coalesce(last.id, (
        select r.cleared_up_to from group_chat_reads r where r.group_id = mine.id and r.user_id = ${user_id})) as last_id, last.message from mine left join lateral (${newestReadable(user_id)}) last on true)
      ${cursorOf(page.before_id, user_id)}
    select ${groupColumns(user_id, few_members)}, l.message as last_message, l.last_id,
      coalesce(r.unread_count, 0) as unread_count, coalesce(r.unread_mentions, 0) as unread_mentions,
      r.read_up_to, greatest(r.delivered_up_to, r.read_up_to) as delivered_up_to, r.cleared_up_to, r.muted_until, coalesce(r.archived, false) as archived, r.pinned_at,
      coalesce(r.marked_unread, false) as marked_unread
    from listed l
      cross join lateral (select o.* from groups o where o.id = l.id ${row_by_row}) g
      cross join lateral (select o.* from users o where o.id = g.owner_id ${row_by_row}) u
      left join group_chat_reads r on r.group_id = g.id and r.user_id = ${user_id}
    where ${mayOpenGroup(user_id)} and coalesce(r.archived, false) = ${page.archived ?? false}
      ${page.before_id === undefined ? sql`` : sql`and ${position} < (select c.pinned_at, c.last_id, c.id from cursor c)`}
    order by r.pinned_at desc nulls last, l.last_id desc nulls last, g.id desc
    limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`);
  return rows.map(
    ({
      last_message,
      last_id,
      unread_count,
      unread_mentions,
      read_up_to,
      delivered_up_to,
      cleared_up_to,
      muted_until,
      archived,
      pinned_at,
      marked_unread,
      ...group
    }) => ({
      group,
      last_message,
      last_id,
      unread_count,
      unread_mentions,
      read_up_to,
      delivered_up_to,
      cleared_up_to,
      settings: { muted_until, archived, pinned_at, marked_unread },
    }),
  );
}

/** The chat of a group as a member sees it in a list. */
export function presentGroupChat(row: GroupChatRow, viewer: Viewer): Static<typeof GroupChat> {
  return {
    group: presentGroup(row.group, viewer),
    last_message: row.last_message && presentMessage(row.last_message, viewer),
    unread_count: row.unread_count,
    unread_mentions: row.unread_mentions,
    read_up_to: row.read_up_to,
    delivered_up_to: row.delivered_up_to,
    cleared_up_to: row.cleared_up_to,
    settings: presentSettings(row.settings, viewer.now),
    active_at: row.last_id && wireTime(timeOfId(row.last_id)),
  };
}
