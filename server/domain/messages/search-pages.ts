/**
 * The newest matches of a search in each of a viewer's chats.
 *
 * The index of words finds all matches of a chat, in no order. While there are few they are sorted; where there are many, a
 * page is looked for among the newest messages of the chat, one by one. Only if those do not fill it either (words that were
 * frequent once and are not now) all matches are sorted, and that takes as long as there are of them, some 0.5 µs each, since
 * no index has the matches of several words in the order of time; the budget of searches and the time limit of a statement
 * bound that. Of words each of which is frequent the index reads entries of 6 bytes, and messages only where all of them are.
 */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import { authorsOf } from '../chat/chat-pages.ts';
import { callChatTimes } from '../visibility/calls.ts';
import { isActorVisible, isSuspended } from '../visibility/people.ts';

/** How many matches of a chat are sorted, and above that how many of its newest messages are read one by one. */
const max_sorted = 1000;
const max_near = 512;

export type SearchedKind = 'thread' | 'group' | 'call' | 'widget';

/** What is searched in each chat `p` of a kind. */
export type Part = {
  kind: SearchedKind;
  /** The viewer's chats, as a statement that selects `id`. */
  chats: Sql;
  /** A condition on messages `m`. */
  of_guest: Sql;
  /** A check of one message at a time, newest first. */
  may_read: Sql;
  /** A condition on messages `m` that is cheap for each of very many, and holds for all that may be read. */
  passes: Sql;
};

/** The messages of a kind of chat, and the column that names the chat. */
const places = {
  thread: { table: 'dm_messages', chat: sql`m.thread_id` },
  group: { table: 'chat_messages', chat: sql`m.group_id` },
  call: { table: 'call_messages', chat: sql`m.call_id` },
  widget: { table: 'chat_messages', chat: sql`m.widget_id` },
} as const;

export const chatsOf = (kind: SearchedKind): Sql => raw(`${kind}_chats`);

/** Authors `a.author_id` whose messages in chat `p` are all hidden, passed by author instead of message by message. */
function notBy(kind: 'group' | 'call' | 'widget', is_hidden: Sql): Sql {
  const { table, chat } = places[kind];
  return sql`coalesce(m.author_id, '') <> all(array(
    with recursive ${authorsOf({ table, of: sql`${chat} = p.id` })}
    select a.author_id from authors a where a.author_id is not null and ${is_hidden}))`;
}

/** In a group: by nobody who is suspended, not hidden by a block, and not from before the viewer joined. */
export const passesInGroup = (viewer_id: string): Sql => sql`
  not ${viewer_id} = any(m.hidden_from) and ${notBy('group', isSuspended('a.author_id'))}
  and m.created_at >= coalesce((
    select case when g.owner_id = ${viewer_id} then null else i.decided_at end
    from groups g left join group_invites i on i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted'
    where g.id = p.id), '-infinity')`;

/** In the chat of a widget: by nobody who is suspended, and not hidden by a block. */
export const passesInWidget = (viewer_id: string): Sql => sql`
  not ${viewer_id} = any(m.hidden_from) and ${notBy('widget', isSuspended('a.author_id'))}`;

/** In a call: by nobody who is hidden, and from the time in which the viewer may read. */
export const passesInCall = (viewer_id: string): Sql => sql`
  ${notBy('call', sql`not ${isActorVisible(viewer_id, 'a.author_id')}`)}
  and m.created_at >= coalesce((select t.since from (${callChatTimes(sql`p.id`, viewer_id)}) t), '-infinity')
  and m.created_at <= coalesce((select t.until from (${callChatTimes(sql`p.id`, viewer_id)}) t), 'infinity')`;

/** The newest matching messages of each chat of a kind, as far as a page needs. */
export function pageOfPart({ kind, of_guest, may_read, passes }: Part, older: Sql, max: number): Sql {
  const place = places[kind];
  const [table, { chat }] = [raw(place.table), place];
  const is_match = sql`words_in(${chat}, folded_words(m.body)) @@ replace(asked.words, '#', p.id)::tsquery
    and m.deleted_at is null and ${chat} is not null ${of_guest} ${older}`;
  const are_many = sql`(select count(*) from few) > ${max_sorted}`;
  // Messages are read and checked in the order of the identifiers until there are enough: `offset 0` keeps the planner from
  // checking first.
  const checked = (ids: Sql) => sql`(
    select m.id from (${ids} offset 0) one cross join lateral (select o.* from ${table} o where o.id = one.id offset 0) m
    where ${may_read} limit ${max})`;
  // Ordered by an expression, so that the planner does not scan the primary key for words, and the newest by the chat as well,
  // so that it takes the index of chats.
  const found = sql`
    with few as materialized (select m.id from ${table} m where ${is_match} limit ${max_sorted + 1}),
    near as materialized (
      select m.id from (
        select m.* from ${table} m where ${chat} = p.id ${older} order by ${chat} desc, m.id desc limit ${max_near}) m
      where ${are_many} and ${is_match} and ${may_read} order by m.id desc limit ${max})
    select n.id from near n where (select count(*) from near) = ${max}
    union all ${checked(sql`select f.id from few f where not ${are_many} order by f.id desc`)}
    union all ${checked(sql`select m.id from ${table} m where ${is_match} and ${passes}
      and ${are_many} and (select count(*) from near) < ${max} order by m.id || '' desc`)}`;
  return sql`select f.id, ${kind}::text as kind, p.id as chat_id, p.peer_id from asked cross join ${chatsOf(kind)} p cross join lateral (${found}) f`;
}
