/**
 * The newest matches of a search in each of a viewer's chats.
 *
 * The index of words contains each chat in portions of messages that follow each other (`place`), in which matches have no
 * order. Portions are read newest first until the page is full, so that a search sorts no more matches than one portion has,
 * however many the chat contains. A portion without a match costs one look-up in the index. Messages of writers who are hidden
 * are not found, and portions from before the viewer joined or cleared the chat are not read
 * (docs/decisions/0032-search-in-portions.md).
 */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import { writersOf } from '../chat/chat-pages.ts';
import { callChatTimes } from '../visibility/calls.ts';
import { isActorVisible, isWriterShown } from '../visibility/people.ts';

/** How many messages a portion has, as in the indexes of words. */
const portion = 2048;

/** The kinds of chats that can be searched. */
export type SearchedKind = 'thread' | 'group' | 'call' | 'widget';

/** What is searched in each chat `p` of a kind. */
export type Part = {
  kind: SearchedKind;
  /** The viewer's chats, as a statement that selects `id`. */
  chats: Sql;
  /** A check of one message at a time, newest first. */
  may_read: Sql;
  limits: Limits;
};

/** What a search passes without a check of each message. */
type Limits = {
  /** The end of a query of words, which selects whose messages the viewer may read, and in which conversation of a widget. */
  by_shown: Sql;
  /** From when the viewer may read, null from the beginning. */
  since: Sql;
  /** What the viewer has cleared of the chat: its last message, null if nothing. */
  cleared_up_to: Sql;
};

/** The viewer may read all of a chat. */
const no_limits: Limits = { by_shown: sql`''`, since: sql`null::timestamptz`, cleared_up_to: sql`null::id` };

const portion_of = sql`(m.place / ${raw(String(portion))})`;
const chat_words = sql`folded_words(m.body) || writer_in(m.author_id, m.hidden_from)`;

/** The messages of a kind of chat: the column that names the chat, and the words by which a message is found in it. */
const places = {
  thread: { table: 'dm_messages', chat: sql`m.thread_id`, words: sql`folded_words(m.body)` },
  group: { table: 'chat_messages', chat: sql`m.group_id`, words: chat_words },
  call: {
    table: 'call_messages',
    chat: sql`m.call_id`,
    words: sql`folded_words(m.body) || writer_in(m.author_id, '{}')`,
  },
  widget: { table: 'chat_messages', chat: sql`m.widget_id`, words: sql`${chat_words} || conversation_in(m.guest_id)` },
} as const;

/** The table expression with the chats of a kind. */
export const chatsOf = (kind: SearchedKind): Sql => raw(`${kind}_chats`);

/** Selects the messages of writers `a` in chat `p` who are shown, if any is not. */
function byShown(kind: 'group' | 'call' | 'widget', is_shown: Sql): Sql {
  const { table, chat } = places[kind];
  return sql`(
    select case when bool_and(a.is_shown) then ''
      else ' & (' || string_agg('''#:' || writer_in(a.author_id, a.hidden_from) || '''', ' | ') filter (where a.is_shown) || ')' end
    from (select a.*, ${is_shown} as is_shown from ${writersOf({ table, of: sql`${chat} = p.id` })} a) a)`;
}

/** In a thread: all of it, since they cleared it. */
export const limitsInThread = (viewer_id: string): Limits => ({
  ...no_limits,
  cleared_up_to: sql`(select d.cleared_up_to from dm_members d where d.thread_id = p.id and d.user_id = ${viewer_id})`,
});

/** In a group: nobody who is suspended, nothing that a block hides, and nothing from before the viewer joined or cleared it. */
export const limitsInGroup = (viewer_id: string): Limits => ({
  by_shown: byShown('group', isWriterShown(viewer_id)),
  since: sql`(
    select case when g.owner_id = ${viewer_id} then null else i.decided_at end
    from groups g left join group_invites i on i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted'
    where g.id = p.id)`,
  cleared_up_to: sql`(select r.cleared_up_to from group_chat_reads r where r.group_id = p.id and r.user_id = ${viewer_id})`,
});

/**
 * In the chat of a widget: nobody who is suspended, and nothing that a block hides.
 * @param guest_id only the conversation of this guest
 */
export const limitsInWidget = (viewer_id: string, guest_id: string | undefined): Limits => ({
  ...no_limits,
  by_shown: sql`${byShown('widget', isWriterShown(viewer_id))} || ${inConversation(guest_id)}`,
});

/** Selects the messages in the conversation of a guest, and those in all conversations. */
const inConversation = (guest_id: string | undefined): Sql =>
  guest_id === undefined
    ? sql`''`
    : sql`' & (''#:' || conversation_in(${guest_id}) || ''' | ''#:' || conversation_in(null) || ''')'`;

/** In a call: nobody who is hidden, and nothing from before the viewer may read. */
export const limitsInCall = (viewer_id: string): Limits => ({
  ...no_limits,
  by_shown: byShown('call', isActorVisible(viewer_id, 'a.author_id')),
  since: sql`(select t.since from (${callChatTimes(sql`p.id`, viewer_id)}) t)`,
});

/**
 * The newest matching messages of each chat of a kind, as far as a page needs.
 * @param below the end of the identifier of a message, only older ones than which are found
 */
export function pageOfPart(part: Part, below: string | undefined, max: number): Sql {
  const { kind, may_read, limits } = part;
  const { table: name, chat, words } = places[kind];
  const table = raw(name);
  const id_prefix = kind === 'thread' ? 'dm' : 'chat';
  const cursor = sql`${`${id_prefix}_${below}`}`;
  // Not by the chat alone: for one with most messages the planner would take the index of identifiers, and pass the others.
  const portionBelow = (id: Sql) => sql`(
    select case when ${chat} = p.id then ${portion_of} end from ${table} m
    where (${chat}, m.id) < (p.id, ${id}) and ${chat} is not null order by ${chat} desc, m.id desc limit 1)`;
  // Each `offset 0` keeps the order in which portions, their matches and a check of each are read, until there are enough.
  // Conditions on the identifier and its order are on an expression, so that the planner reads no index but that of words.
  const found = sql`
    select f.id from (
      select first.id as first_id, ${limits.by_shown} as by_shown, ${portionBelow(below === undefined ? sql`'~'` : cursor)} as newest,
        coalesce(${portionBelow(sql`first.id`)}, 0) as oldest
      from (
        select coalesce(greatest(first_id_at(${id_prefix}, ${limits.since}), ${limits.cleared_up_to} || '0'), '') as id offset 0) first offset 0) ends
    cross join lateral (select generate_series(ends.newest, ends.oldest, -1) as portion offset 0) n
    cross join lateral (
      select one.id from (
        select m.id from ${table} m
        where words_in(${chat} || '/' || ${portion_of}::text, ${words})
            @@ replace(asked.words || ends.by_shown, '#', p.id || '/' || n.portion)::tsquery
          and m.deleted_at is null and ${chat} is not null and m.id || '' >= ends.first_id
          ${below === undefined ? sql`` : sql`and m.id || '' < ${cursor}`}
        order by m.id || '' desc offset 0) one
      cross join lateral (select o.* from ${table} o where o.id = one.id offset 0) m
      where ${may_read} offset 0) f
    limit ${max}`;
  return sql`select f.id, ${kind}::text as kind, p.id as chat_id, p.peer_id from asked cross join ${chatsOf(kind)} p cross join lateral (${found}) f`;
}
