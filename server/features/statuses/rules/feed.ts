/** The feed: three equivalent queries, and the choice between them for a reader. */
import { from_statuses } from '../../../domain/social/statuses.ts';
import { hasMuted } from '../../../domain/visibility/mutes.ts';
import { row_by_row, type Viewer } from '../../../domain/visibility/viewer.ts';
import { isActive } from '../../../domain/visibility/people.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { default_limit, type Page } from '../../../kernel/page.ts';
import type { Services } from '../../../kernel/services.ts';

/**
 * When the `newest` statuses of the service fill a page, as for readers of the busiest streams, that is the cheapest
 * query. Otherwise up to `few` follows are queried one by one; for a reader with more, the last `recent` statuses of
 * the service are scanned first, and each stream is queried only when those do not fill the page.
 */
const feed_bounds = { few: 100, recent: 1000, newest: 200 };
type Bounds = typeof feed_bounds;

/** The three queries, by what they scan first. */
type FeedQuery = 'newest' | 'few' | 'many';

/**
 * Selects the feed: statuses of what the reader follows, and their own, newest first, without those that they may not
 * see. Computed on read (docs/decisions/0004-feed-on-read.md). Blocks need no condition here, since a block ends the
 * follows (`endFollowsBetween`).
 */
export async function selectFeed<Row extends object>(
  db: Queryable,
  page: Page,
  viewer: Viewer,
  columns: Columns,
  bounds: Bounds = feed_bounds,
): Promise<Row[]> {
  const known_hints = hintsOf(viewer.services);
  const read = (query: FeedQuery) => selectBy<Row>(query, db, { page, viewer, bounds, columns });
  // `newest` could not tell whether all skipped rows are visible.
  if (page.offset) return (await Promise.all([read('few'), read('many')])).flat();
  const hint = nextQuery(known_hints, viewer.id);
  // In one round trip: the second query costs less than another round trip.
  const first: FeedQuery[] = hint ? [hint] : db.is_pipelined ? ['few', 'many'] : ['newest'];
  const asked = await Promise.all(first.map(read));
  for (const [at, rows] of asked.entries())
    if (rows.length > 0) return remember(known_hints, viewer.id, first[at] as FeedQuery, rows);
  for (const query of (['few', 'many'] as const).filter((one) => !first.includes(one))) {
    const rows = await read(query);
    if (rows.length > 0) return remember(known_hints, viewer.id, query, rows);
  }
  known_hints.delete(viewer.id);
  return [];
}

/**
 * The selected columns: either over `statuses s join users u left join tags t`, or over `statuses s` alone. In the
 * latter case the statement that selects the newest statuses has to exclude those of suspended authors and of hidden or
 * deleted tags itself.
 */
export type Columns = { of_all: Sql } | { of_status: Sql };

type Asked = { page: Page; viewer: Viewer; bounds: Bounds; columns: Columns };

/** The rows of one query; none when it does not apply to this reader. */
async function selectBy<Row extends object>(query: FeedQuery, db: Queryable, asked: Asked): Promise<Row[]> {
  if (query === 'few') return db.many<Row>(feedOfFew(asked));
  if (query === 'many') return db.many<Row>(feedOfMany(asked));
  const rows = await db.many<Row & { is_visible?: boolean }>(feedOfNewest(asked));
  // If rows of a deleted tag or author have displaced older ones, the other queries find those.
  return rows.length === reachOf(asked.page).size && rows.every(({ is_visible }) => is_visible !== false) ? rows : [];
}

/** The query that succeeded for each reader last, and how often it is still tried first. Only a hint. */
type Hint = { query: FeedQuery; left: number };

const hints = new WeakMap<Services, Map<string, Hint>>();
/** The number of cached hints. */
const max_readers = 10_000;
/** The number of reads after which `newest` is tried again. */
const readings_a_hint = 50;

function hintsOf(services: Services): Map<string, Hint> {
  const known = hints.get(services) ?? new Map<string, Hint>();
  hints.set(services, known);
  return known;
}

function nextQuery(known_hints: Map<string, Hint>, user_id: string): FeedQuery | undefined {
  const hint = known_hints.get(user_id);
  if (!hint) return undefined;
  hint.left -= 1;
  return hint.left < 0 ? 'newest' : hint.query;
}

function remember<Row>(known_hints: Map<string, Hint>, user_id: string, query: FeedQuery, rows: Row[]): Row[] {
  const known = known_hints.get(user_id);
  if (known?.query === query && known.left >= 0) return rows;
  known_hints.delete(user_id);
  known_hints.set(user_id, { query, left: readings_a_hint });
  const [oldest] = known_hints.keys();
  if (known_hints.size > max_readers && oldest !== undefined) known_hints.delete(oldest);
  return rows;
}

/** The number of rows needed for a page, from the newest on, and the cursor. */
const reachOf = (page: Page) => ({
  size: (page.limit ?? default_limit) + (page.offset ?? 0) + 1,
  older: (column: Sql): Sql => (page.before_id === undefined ? sql`` : sql`and ${column} < ${page.before_id}`),
});

/** The follows that make up the feed: all except those of muted people, who are looked up only if there are any. */
const followed = (viewer: Viewer): Sql => sql`
  follows f where f.follower_id = ${viewer.id} and not (
    exists (select 1 from mutes any_mute where any_mute.user_id = ${viewer.id}) and ${hasMuted(viewer.id, sql`f.owner_id`)})`;

/** The active streams of `follow`: of each tag, and of each owner for statuses without a tag. */
const stream_of_follow = sql`
  live as materialized (
    select follow.tag_id, follow.owner_id, t.deleted_at is null and t.hidden_at is null as tag_stands
    from follow join tags t on t.id = follow.tag_id join users u on u.id = follow.owner_id
    where ${isActive()}),
  stream as (select tag_id as id from live where tag_stands union all select distinct owner_id from live)`;

/** The newest statuses of each stream. */
function newestOfStreams(page: Page, condition: Sql): Sql {
  const { size, older } = reachOf(page);
  return sql`
    (select newest.id from stream cross join lateral (
      select s.id from statuses s where s.stream_id = stream.id and s.hidden_at is null ${older(sql`s.id`)}
      order by s.id desc limit ${size}::int) newest
    where ${condition} order by newest.id desc limit ${size}::int)`;
}

/** The viewer's own statuses, which are in none of their streams. */
function ownStatuses(page: Page, viewer: Viewer, condition: Sql): Sql {
  const { size, older } = reachOf(page);
  return sql`
    (select s.id from statuses s
    where ${condition} and s.author_id = ${viewer.id} and s.deleted_at is null ${older(sql`s.id`)}
      and not exists (select 1 from tags t where t.id = s.tag_id and t.deleted_at is not null)
    order by s.id desc limit ${size}::int)`;
}

/** The selected statuses, limited to the page. */
function feedPage({ page, columns }: Asked): Sql {
  const [selected, labels] =
    'of_status' in columns
      ? [columns.of_status, sql``]
      : [columns.of_all, sql`join users u on u.id = s.author_id left join tags t on t.id = s.tag_id`];
  return sql`
    select ${selected}
    from (select id from found order by id desc limit ${reachOf(page).size}::int) f join statuses s on s.id = f.id ${labels}
    order by s.id desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/**
 * For a reader whose page is filled by the newest statuses of the service: an index is scanned backwards until the page
 * is full. Their own statuses are included. It finds too few when these do not fill the page, and nothing for a reader
 * of many streams.
 */
function feedOfNewest({ page, viewer, bounds, columns }: Asked): Sql {
  const { size, older } = reachOf(page);
  const [selected, labels] =
    'of_status' in columns
      ? [columns.of_status, sql``]
      : [sql`${columns.of_all}, ${isVisibleTo(viewer)} as is_visible`, labels_row_by_row];
  return sql`
    with follow as materialized (
      select f.tag_id, f.owner_id from ${followed(viewer)} limit ${bounds.few + 1}::int)
    select ${selected}
    from (
      select * from (
        select s.xmin, s.* from statuses s where true ${older(sql`s.id`)}
        order by s.id desc limit ${bounds.newest}::int) s
      where (select count(*) from follow) <= ${bounds.few}::int and (s.author_id = ${viewer.id} and s.deleted_at is null or (
        s.hidden_at is null and case when s.tag_id is null
          then s.author_id in (select owner_id from follow) else s.tag_id in (select tag_id from follow) end))
      order by s.id desc limit ${size}::int) s ${labels}
    order by s.id desc`;
}

/** Whether the author and the tag of a status do not keep it from a reader who follows them. */
const isVisibleTo = (viewer: Viewer): Sql => sql`
  t.deleted_at is null and (s.author_id = ${viewer.id} or (t.hidden_at is null and ${isActive()}))`;

/** The author and tag of each status, looked up one by one: the planner does not know that there are few. */
const labels_row_by_row = sql`
  cross join lateral (
    select u.id, u.username, u.display_name, u.avatar_key, u.suspended_at, u.deleted_at
    from users u where u.id = s.author_id ${row_by_row}) u
  left join lateral (
    select t.id, t.name, t.title, t.hidden_at, t.deleted_at from tags t where t.id = s.tag_id ${row_by_row}) t on true`;

/**
 * For a reader of few streams, each of which is queried for its newest statuses. Finds nothing for a reader of many.
 */
function feedOfFew(asked: Asked): Sql {
  const { page, viewer } = asked;
  const { few } = asked.bounds;
  const follows_few = sql`(select count(*) from follow) <= ${few}::int`;
  return sql`
    with follow as materialized (
      select f.tag_id, f.owner_id from ${followed(viewer)} limit ${few + 1}::int),
    ${stream_of_follow},
    found as (${newestOfStreams(page, follows_few)} union all ${ownStatuses(page, viewer, follows_few)})
    ${feedPage(asked)}`;
}

/**
 * For a reader of many streams: the newest statuses of the service that belong to one of them, and if those are too
 * few, as for other readers. Finds nothing for a reader of few, after counting their follows.
 */
function feedOfMany(asked: Asked): Sql {
  const { page, viewer } = asked;
  const { few, recent } = asked.bounds;
  const { size, older } = reachOf(page);
  const follows_many = sql`exists (select 1 from ${followed(viewer)} offset ${few}::int)`;
  return sql`
    with follow as materialized (
      select f.tag_id, f.owner_id from ${followed(viewer)}),
    ${stream_of_follow},
    recent as materialized (
      select known.id from (
        select newest.id from (
          select s.id, s.stream_id from statuses s
          where s.hidden_at is null and ${follows_many} ${older(sql`s.id`)}
          order by s.id desc limit ${recent}::int) newest
        where case when newest.stream_id like 'tag%'
          then exists (
            select 1 from ${followed(viewer)} and f.tag_id = newest.stream_id ${row_by_row})
          else exists (
            select 1 from ${followed(viewer)} and f.owner_id = newest.stream_id ${row_by_row}) end
        order by newest.id desc) known
      where (
        select t.deleted_at is null and t.hidden_at is null and ${isActive()}
        from ${from_statuses} where s.id = known.id)
      limit ${size}::int),
    found as (
      select id from recent where (select count(*) from recent) >= ${size}::int union all
      ${newestOfStreams(page, sql`${follows_many} and (select count(*) from recent) < ${size}::int`)} union all
      ${ownStatuses(page, viewer, follows_many)})
    ${feedPage(asked)}`;
}
