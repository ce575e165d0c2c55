/** The feed: three ways of finding the same rows, and which of them a reader is asked by. */
import { from_statuses } from '../../../domain/social/statuses.ts';
import { hasMuted } from '../../../domain/visibility/mutes.ts';
import { one_by_one, type Viewer } from '../../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { default_limit, type Page } from '../../../kernel/page.ts';
import type { Services } from '../../../kernel/services.ts';

/**
 * Where the `newest` statuses of all fill a page of what a reader follows, as where most read most, that is the cheapest way.
 * Otherwise up to `few` follows are asked one by one; a reader of more looks first through the last `recent` statuses of all,
 * and asks stream by stream only when those do not fill the page.
 */
const feed_bounds = { few: 100, recent: 1000, newest: 200 };
type Bounds = typeof feed_bounds;

/** The three ways, by what they look through first. */
type Way = 'newest' | 'few' | 'many';

/**
 * The feed, by its definition: statuses of what the reader follows, and their own, newest first, less what they may not
 * see. It is computed when it is read, so that it is right after any absence and a post costs the same for any number of
 * followers. Each way is a statement of its own, because a plan that holds several costs every reader what it costs the
 * slowest. One that is not for the reader finds no rows, and then another is asked; of `few` and `many` one finds none. The
 * rows that an offset passes over are not seen, so that `newest` could not tell whether they all stand.
 */
export async function selectFeed<Row extends { id: string }>(
  db: Queryable,
  page: Page,
  viewer: Viewer,
  columns: Sql,
  bounds: Bounds = feed_bounds,
): Promise<Row[]> {
  const ways = waysOf(viewer.services);
  const read = (way: Way) => selectBy<Row>(way, db, { page, viewer, bounds, columns });
  if (page.offset) return (await Promise.all([read('few'), read('many')])).flat();
  const hint = nextWay(ways, viewer.id);
  // Asked at once, the second costs less than a trip of its own after the first.
  const first: Way[] = hint ? [hint] : db.is_pipelined ? ['few', 'many'] : ['newest'];
  const asked = await Promise.all(first.map(read));
  for (const [at, rows] of asked.entries())
    if (rows.length > 0) return remember(ways, viewer.id, first[at] as Way, rows);
  for (const way of (['few', 'many'] as const).filter((one) => !first.includes(one))) {
    const rows = await read(way);
    if (rows.length > 0) return remember(ways, viewer.id, way, rows);
  }
  ways.delete(viewer.id);
  return [];
}

/** Which rows are asked for: `columns` stand over `statuses s join users u left join tags t`. */
type Asked = { page: Page; viewer: Viewer; bounds: Bounds; columns: Sql };

/** The rows of one way; none where it is not for this reader. */
async function selectBy<Row extends object>(way: Way, db: Queryable, asked: Asked): Promise<Row[]> {
  if (way === 'few') return db.many<Row>(feedOfFew(asked));
  if (way === 'many') return db.many<Row>(feedOfMany(asked));
  const rows = await db.many<Row & { stands: boolean }>(feedOfNewest(asked));
  // What is of a tag or an author that is gone has taken the place of something older, which the other ways find.
  return rows.every(({ stands }) => stands) ? rows : [];
}

/** By which way each reader's last feed was found, and how often that is still taken at once. A hint only. */
type Hint = { way: Way; left: number };

const hints = new WeakMap<Services, Map<string, Hint>>();
/** The most recent readers whose hint is kept. */
const max_readers = 10_000;
/** After so many readings it is looked again whether the newest would do. */
const readings_a_hint = 50;

function waysOf(services: Services): Map<string, Hint> {
  const known = hints.get(services) ?? new Map<string, Hint>();
  hints.set(services, known);
  return known;
}

function nextWay(ways: Map<string, Hint>, user_id: string): Way | undefined {
  const hint = ways.get(user_id);
  if (!hint) return undefined;
  hint.left -= 1;
  return hint.left < 0 ? 'newest' : hint.way;
}

function remember<Row>(ways: Map<string, Hint>, user_id: string, way: Way, rows: Row[]): Row[] {
  const known = ways.get(user_id);
  if (known?.way === way && known.left >= 0) return rows;
  ways.delete(user_id);
  ways.set(user_id, { way, left: readings_a_hint });
  const [oldest] = ways.keys();
  if (ways.size > max_readers && oldest !== undefined) ways.delete(oldest);
  return rows;
}

/** How many rows a page needs, counted from the newest, and what is older than where it begins. */
const reachOf = (page: Page) => ({
  size: (page.limit ?? default_limit) + (page.offset ?? 0) + 1,
  older: (column: Sql): Sql => (page.before_id === undefined ? sql`` : sql`and ${column} < ${page.before_id}`),
});

/** The follows that fill the feed: all but those of people whom the viewer has muted. */
const followed = (viewer: Viewer): Sql => sql`
  follows f where f.follower_id = ${viewer.id} and not ${hasMuted(viewer.id, sql`f.owner_id`)}`;

/** The streams of `follow` that stand: of each tag, and of each owner for what is posted without a tag. */
const stream_of_follow = sql`
  live as materialized (
    select follow.tag_id, follow.owner_id, t.deleted_at is null and t.hidden_at is null as tag_stands
    from follow join tags t on t.id = follow.tag_id join users u on u.id = follow.owner_id
    where u.suspended_at is null and u.deleted_at is null),
  stream as (select tag_id as id from live where tag_stands union all select distinct owner_id from live)`;

/** The newest of each stream. */
function newestOfStreams(page: Page, condition: Sql): Sql {
  const { size, older } = reachOf(page);
  return sql`
    (select newest.id from stream cross join lateral (
      select s.id from statuses s where s.stream_id = stream.id and s.hidden_at is null ${older(sql`s.id`)}
      order by s.id desc limit ${size}::int) newest
    where ${condition} order by newest.id desc limit ${size}::int)`;
}

/** The viewer's own, which no stream of theirs can hold. */
function ownStatuses(page: Page, viewer: Viewer, condition: Sql): Sql {
  const { size, older } = reachOf(page);
  return sql`
    (select s.id from statuses s
    where ${condition} and s.author_id = ${viewer.id} ${older(sql`s.id`)}
      and not exists (select 1 from tags t where t.id = s.tag_id and t.deleted_at is not null)
    order by s.id desc limit ${size}::int)`;
}

/** The statuses that were found, cut to the page. */
function feedPage({ page, columns }: Asked, more: Sql = sql``): Sql {
  return sql`
    select ${columns}${more}
    from (select id from found order by id desc limit ${reachOf(page).size}::int) f
      join statuses s on s.id = f.id join users u on u.id = s.author_id left join tags t on t.id = s.tag_id
    order by s.id desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/**
 * For a reader for whom the newest of all fill the page: an index is read from its end until they do. Their own are among
 * them or older than what fills it. It finds nothing where they do not fill it, and for a reader of many.
 */
function feedOfNewest(asked: Asked): Sql {
  const { page, viewer } = asked;
  const { few, newest } = asked.bounds;
  const { size, older } = reachOf(page);
  const is_full = sql`(select count(*) from recent) >= ${size}::int and (select count(*) from follow) <= ${few}::int`;
  // As a value and no condition of a join, so that each of the newest is looked up in a hash of the streams.
  const of_stream = sql`(newest.stream_id in (select tag_id from follow union all select owner_id from follow)) is true`;
  return sql`
    with follow as materialized (
      select f.tag_id, f.owner_id from ${followed(viewer)} limit ${few + 1}::int),
    recent as materialized (
      select newest.id from (
        select s.id, s.stream_id from statuses s
        where s.hidden_at is null ${older(sql`s.id`)}
        order by s.id desc limit ${newest}::int) newest
      where ${of_stream} order by newest.id desc limit ${size}::int),
    found as (select id from recent where ${is_full} union all ${ownStatuses(page, viewer, is_full)})
    ${feedPage(
      asked,
      sql`, t.deleted_at is null and (s.author_id = ${viewer.id} or (
      t.hidden_at is null and u.suspended_at is null and u.deleted_at is null)) as stands`,
    )}`;
}

/** For a reader of few streams, each asked for its newest. For a reader of many it finds nothing. */
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
 * For a reader of many: the newest of all that belong to a stream of theirs, and when those are too few, as for others.
 * For a reader of few it finds nothing, and looks no further than at how many they follow.
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
            select 1 from ${followed(viewer)} and f.tag_id = newest.stream_id ${one_by_one})
          else exists (
            select 1 from ${followed(viewer)} and f.owner_id = newest.stream_id ${one_by_one}) end
        order by newest.id desc) known
      where (
        select t.deleted_at is null and t.hidden_at is null and u.suspended_at is null and u.deleted_at is null
        from ${from_statuses} where s.id = known.id)
      limit ${size}::int),
    found as (
      select id from recent where (select count(*) from recent) >= ${size}::int union all
      ${newestOfStreams(page, sql`${follows_many} and (select count(*) from recent) < ${size}::int`)} union all
      ${ownStatuses(page, viewer, follows_many)})
    ${feedPage(asked)}`;
}
