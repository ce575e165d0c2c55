/**
 * Pages of the chats of calls, groups and widgets. A suspension or a block can hide any number of
 * messages in a row. A page is therefore selected from the nearest messages first. If these do not fill it, it is selected by
 * writer, since a chat has few writers: all messages of a hidden one are skipped at once. A writer is an author together with
 * those from whom a block hides the author's messages.
 */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import type { Span } from '../../kernel/page.ts';

/** The chat that a page is read from, for its reader. */
export type PagedChat = {
  table: 'chat_messages' | 'call_messages';
  /** Messages `m` of the chat, as the indexes by identifier and by author begin. */
  of: Sql;
  /** In the chat of a widget, only those of one guest's conversation, or with null the notices. */
  guest_id?: string | null;
  /** The first and last message that the reader may read, by the time at which they joined and left; if there are limits. */
  since_id?: string | undefined;
  until_id?: string | undefined;
  /** The reader may read message `m`. */
  may_read: Sql;
  /**
   * Messages of author `a.author_id`, null for those of guests and the service, may be readable. In groups and widgets
   * `a.hidden_from` are those from whom a block hides them.
   */
  is_shown: Sql;
};

/** Reads rows of messages `m` from a table or subquery; `which` is a condition with its order. */
export type SelectMessages<Row> = (from: Sql, which: Sql) => Promise<Row[]>;

/** How many hidden messages are passed one by one: a few in a row are usual, and reading by writer is slower. */
export const near_hidden = 128;

const when = (value: string | undefined, condition: Sql): Sql => (value === undefined ? sql`` : condition);

/** The part of a chat that a page may come from, whichever conversation: a condition on the identifier of a message. */
const within = ({ since_id, until_id }: PagedChat, { below, up_to, above }: Span, id = sql`m.id`): Sql => sql`
  ${when(since_id, sql`and ${id} >= ${since_id}`)} ${when(until_id, sql`and ${id} <= ${until_id}`)}
  ${when(below, sql`and ${id} < ${below}`)} ${when(up_to, sql`and ${id} <= ${up_to}`)} ${when(above, sql`and ${id} > ${above}`)}`;

/** An identifier that the planner takes from no index. */
const id_of_none = sql`(m.id || '')`;

/** The conversation, as the indexes of conversations and their writers have it. */
function conversationOf({ guest_id }: Pick<PagedChat, 'guest_id'>): Sql {
  if (guest_id === undefined) return sql``;
  return guest_id === null ? sql`and m.guest_id is null` : sql`and m.guest_id = ${guest_id}`;
}

const directionOf = ({ is_oldest_first }: Span): Sql => (is_oldest_first ? sql`` : sql`desc`);

const orderOf = (span: Span): Sql => sql`m.id ${directionOf(span)}`;

/** The nearest messages of a page, readable or not, as a subquery. */
function nearest(chat: PagedChat, span: Span, what: Sql): Sql {
  const max = span.limit + span.offset + near_hidden;
  // Ordered by both, so that the planner takes the index of conversations, however many messages of others there are.
  const order = chat.guest_id === undefined ? orderOf(span) : sql`m.guest_id ${directionOf(span)}, ${orderOf(span)}`;
  return sql`(select ${what} from ${raw(chat.table)} m where ${chat.of} ${conversationOf(chat)} ${within(chat, span)}
    order by ${order} limit ${max})`;
}

/** A key of the same value for messages that are hidden from the same people. */
const audience = sql`hash_array_extended(m.hidden_from, 0)`;

type Table = Pick<PagedChat, 'table'>;

const hasAudience = ({ table }: Table) => table === 'chat_messages';

/** What identifies the writer of a message `m`, as the indexes of writers have it, and of a writer `a`. */
const writerOf = (chat: Table): Sql => (hasAudience(chat) ? sql`m.author_id, ${audience}` : sql`m.author_id`);
const writer_key = (chat: Table): Sql => (hasAudience(chat) ? sql`a.author_id, a.audience` : sql`a.author_id`);

/**
 * The writers of a chat, as a subquery, with one look-up in the index for each: `author_id`, `hidden_from`, and a key of it,
 * `audience`. Those without an account are one.
 */
export function writersOf(chat: Pick<PagedChat, 'table' | 'of' | 'guest_id'>): Sql {
  const { table, of } = chat;
  const [audience_of, hidden_from] = hasAudience(chat)
    ? [audience, sql`m.hidden_from`]
    : [sql`0::bigint`, sql`'{}'::text[]`];
  const next = (after: Sql) => sql`
    select m.author_id, ${audience_of} as audience, ${hidden_from} as hidden_from from ${raw(table)} m
    where ${of} ${conversationOf(chat)} and ${after} order by ${writerOf(chat)} limit 1`;
  return sql`(
    with recursive writers as (
      (${next(sql`m.author_id > ''`)})
      union all
      select n.* from writers a cross join lateral (${next(sql`(${writerOf(chat)}) > (${writer_key(chat)})`)}) n)
    select * from writers union all select null, 0, '{}')`;
}

/** Between which identifiers messages are read, both included. */
type Bounds = { lowest: Sql; highest: Sql };

/** Before and after all identifiers of messages. */
const before_all = '';
const after_all = '~';

/**
 * Which messages are read of each writer, which of their columns, from which end, and how many at most: as SQL, since the
 * planner knows a number that is in the text, and not one that is a parameter.
 */
type Reading = { columns: Sql; which: Sql; bounds: Bounds; limit: Sql; direction: Sql };

/**
 * The newest or oldest messages of each writer who is shown. The range is one of the index: with conditions on the author or
 * the identifier alone the planner may read the whole chat in the order of identifiers.
 */
function byWriter(chat: PagedChat, { columns, which, bounds, limit, direction }: Reading): Sql {
  const { table, of, may_read, is_shown } = chat;
  const { lowest, highest } = bounds;
  const order = sql`m.author_id ${direction}, ${hasAudience(chat) ? sql`${audience} ${direction},` : sql``} m.id ${direction}`;
  // Asked of each message in the order of the index: as a join, the planner may ask it of all that the writer has written.
  const written = (by: Sql) => sql`(
    select ${columns} from ${raw(table)} m where ${of} ${conversationOf(chat)} and ${by} and ${which} and (select ${may_read})
    order by ${order} limit ${limit})`;
  const by_author = written(
    sql`(${writerOf(chat)}, m.id) >= (${writer_key(chat)}, ${lowest}) and (${writerOf(chat)}, m.id) <= (${writer_key(chat)}, ${highest})`,
  );
  // What guests and the service write is hidden from nobody.
  const without = written(
    sql`m.author_id is null and a.author_id is null ${hasAudience(chat) ? sql`and ${audience} = hash_array_extended('{}'::text[], 0)` : sql``}`,
  );
  return sql`(select a.* from ${writersOf(chat)} a where ${is_shown}) a cross join lateral (${by_author} union all ${without}) m`;
}

/** The identifiers of a page, from the messages of each writer who is shown. */
function idsByWriter(chat: PagedChat, span: Span, when_needed: Sql): Sql {
  const { limit, offset, below, up_to, above } = span;
  // Both ends of the page: the largest lower bound, and the smallest upper one.
  const [lowest] = [before_all, chat.since_id ?? before_all, above ?? before_all].toSorted().toReversed();
  const [highest] = [after_all, chat.until_id ?? after_all, below ?? after_all, up_to ?? after_all].toSorted();
  const bounds = { lowest: sql`${lowest}`, highest: sql`${highest}` };
  const ids = byWriter(chat, {
    columns: sql`m.id`,
    which: sql`true ${within(chat, span, id_of_none)}`,
    bounds,
    limit: sql`${limit + offset}`,
    direction: directionOf(span),
  });
  return sql`select m.id from ${ids} where ${when_needed} order by ${orderOf(span)} limit ${limit} offset ${offset}`;
}

const selectByWriter = <Row>(chat: PagedChat, span: Span, select: SelectMessages<Row>, when_needed: Sql) =>
  select(
    sql`${raw(chat.table)} m`,
    sql`m.id = any(array(${idsByWriter(chat, span, when_needed)})) order by ${orderOf(span)}`,
  );

/** A page of a chat as its reader sees it. */
export async function readChatPage<Row>(chat: PagedChat, span: Span, select: SelectMessages<Row>): Promise<Row[]> {
  const { limit, offset } = span;
  const near = await select(
    sql`${nearest(chat, span, sql`m.*`)} m`,
    sql`${chat.may_read} order by ${orderOf(span)} limit ${limit} offset ${offset}`,
  );
  if (near.length === limit) return near;
  const are_more = sql`(select count(*) from ${nearest(chat, span, sql`1`)} n) = ${limit + offset + near_hidden}`;
  const rows = await selectByWriter(chat, span, select, are_more);
  return rows.length > near.length ? rows : near;
}

/** A page of a chat in which many messages are known to be hidden: it is read by writer from the start. */
export const readPageByWriter = <Row>(chat: PagedChat, span: Span, select: SelectMessages<Row>): Promise<Row[]> =>
  selectByWriter(chat, span, select, sql`true`);

/**
 * The newest message `m` of a part of a chat that may be read, all of its columns, as a subquery that names the chat by the
 * columns of another table.
 * @param part a condition on the identifier of a message, and the same as bounds
 */
export function newestInChat(chat: PagedChat, part: (id: Sql) => Sql, bounds: Bounds): Sql {
  const { table, of, may_read } = chat;
  const near = sql`
    select m.* from (select m.* from ${raw(table)} m where ${of} and ${part(sql`m.id`)} order by m.id desc limit ${near_hidden}) m
    where ${may_read} order by m.id desc limit 1`;
  const which = part(id_of_none);
  const newest = byWriter(chat, { columns: sql`m.*`, which, bounds, limit: sql`1`, direction: sql`desc` });
  return sql`(
    with near as materialized (${near})
    select * from near
    union all
    select m.* from ${newest}
    where not exists (select from near) order by id desc limit 1)`;
}
