/**
 * Pages of the chats of calls, groups and widgets. Nobody limits how many messages in a row a suspension or a block hides from
 * a reader. So a page is looked for among the nearest messages first, and if these do not fill it, by author: the chat has few
 * of them, and those who are hidden are skipped with all that they have written.
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
  /** Messages of author `a.author_id`, null for those of guests and the service, may be readable. */
  is_shown: Sql;
};

/** Reads rows of messages `m` from a table or subquery; `which` is a condition with its order. */
export type SelectMessages<Row> = (from: Sql, which: Sql) => Promise<Row[]>;

/** How many hidden messages are passed one by one: a few in a row are usual, and reading by author is slower. */
const near_hidden = 128;

const when = (value: string | undefined, condition: Sql): Sql => (value === undefined ? sql`` : condition);

/** The part of a chat that a page may come from, whichever conversation: a condition on messages `m`. */
const within = ({ since_id, until_id }: PagedChat, { below, up_to, above }: Span): Sql => sql`
  ${when(since_id, sql`and m.id >= ${since_id}`)} ${when(until_id, sql`and m.id <= ${until_id}`)}
  ${when(below, sql`and m.id < ${below}`)} ${when(up_to, sql`and m.id <= ${up_to}`)} ${when(above, sql`and m.id > ${above}`)}`;

/** The conversation, as the index of conversations has it. */
function conversationOf({ guest_id }: PagedChat): Sql {
  if (guest_id === undefined) return sql``;
  return guest_id === null ? sql`and m.guest_id is null` : sql`and m.guest_id = ${guest_id}`;
}

/** The same, without that index: for what is read from the index of authors. */
const conversationOfAuthor = ({ guest_id }: PagedChat): Sql =>
  guest_id === undefined ? sql`` : sql`and coalesce(m.guest_id, '') = ${guest_id ?? ''}`;

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

/** The authors of a chat, one look-up in the index for each; null is the last one. */
export const authorsOf = ({ table, of }: Pick<PagedChat, 'table' | 'of'>): Sql => sql`
  authors as (
    select (select m.author_id from ${raw(table)} m where ${of} and m.author_id > '' order by m.author_id limit 1) as author_id
    union all
    select (select m.author_id from ${raw(table)} m where ${of} and m.author_id > a.author_id order by m.author_id limit 1)
    from authors a where a.author_id is not null)`;

/**
 * The identifiers of a page, from the messages of each author who is shown; none if all are among the nearest. A range of one
 * author in the order of the index: for an equal one the planner may read the whole chat in the order of identifiers.
 */
function idsByAuthor(chat: PagedChat, span: Span): Sql {
  const { limit, offset } = span;
  const order = orderOf(span);
  const written = (by: Sql) => sql`(
    select m.id from ${raw(chat.table)} m where ${chat.of} and ${by} ${conversationOfAuthor(chat)} ${within(chat, span)} and ${chat.may_read}
    order by m.author_id ${directionOf(span)}, ${order} limit ${limit + offset})`;
  return sql`
    with recursive ${authorsOf(chat)}
    select m.id from (select a.author_id from authors a where ${chat.is_shown}) a cross join lateral (
      ${written(sql`m.author_id between a.author_id and a.author_id`)} union all ${written(sql`m.author_id is null and a.author_id is null`)}) m
    where (select count(*) from ${nearest(chat, span, sql`1`)} n) = ${limit + offset + near_hidden}
    order by ${order} limit ${limit} offset ${offset}`;
}

/** A page of a chat as its reader sees it. */
export async function readChatPage<Row>(chat: PagedChat, span: Span, select: SelectMessages<Row>): Promise<Row[]> {
  const { limit, offset } = span;
  const order = orderOf(span);
  const near = await select(
    sql`${nearest(chat, span, sql`m.*`)} m`,
    sql`${chat.may_read} order by ${order} limit ${limit} offset ${offset}`,
  );
  if (near.length === limit) return near;
  const rows = await select(
    sql`${raw(chat.table)} m`,
    sql`m.id = any(array(${idsByAuthor(chat, span)})) order by ${order}`,
  );
  return rows.length > near.length ? rows : near;
}

/**
 * The newest message `m` of a part of a chat that may be read, all of its columns, as a subquery that names the chat by the
 * columns of another table.
 */
export function newestInChat({ table, of, may_read, is_shown }: PagedChat, part: Sql): Sql {
  const newest = (and: Sql) => sql`select m.* from ${raw(table)} m where ${of} ${and} and ${part}`;
  const ofAuthor = (by: Sql) =>
    sql`(${newest(sql`and ${by}`)} and ${may_read} order by m.author_id desc, m.id desc limit 1)`;
  const near = sql`select m.* from (${newest(sql``)} order by m.id desc limit ${near_hidden}) m where ${may_read} order by m.id desc limit 1`;
  return sql`(
    with recursive near as materialized (${near}), ${authorsOf({ table, of })}
    select * from near
    union all
    select m.* from (select a.author_id from authors a where ${is_shown}) a cross join lateral (
      ${ofAuthor(sql`m.author_id between a.author_id and a.author_id`)} union all ${ofAuthor(sql`m.author_id is null and a.author_id is null`)}) m
    where not exists (select from near)
      and (select count(*) from (${newest(sql``)} limit ${near_hidden}) n) = ${near_hidden}
    order by id desc limit 1)`;
}
