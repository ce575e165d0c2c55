import { from_statuses, statusColumns, type MentionRow, type StatusRow } from '../../domain/social/statuses.ts';
import { hasMuted } from '../../domain/visibility/mutes.ts';
import { one_by_one, type Viewer } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { reply_columns, type ReplyRow } from './schemas.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export type NewStatus = {
  id: string;
  tag_id: string | null;
  body: string;
  visibility: 'public' | 'followers';
  mentions: MentionRow[];
  media_count: number;
};

/**
 * Makes a status under a tag of its author, or under none; undefined when the tag is not theirs. The tag is held, so that
 * none is made under one that is being deleted.
 */
export async function insertStatus(db: Queryable, status: NewStatus, author: Viewer): Promise<StatusRow | undefined> {
  return db.maybe<StatusRow>(sql`
    with s as (
      insert into statuses (id, author_id, tag_id, body, visibility, mentions, media_count, created_at)
      select ${status.id}, ${author.id}, ${status.tag_id}::text, ${status.body}, ${status.visibility},
             ${JSON.stringify(status.mentions)}::jsonb, ${status.media_count}::int, ${author.now}::timestamptz
      where ${status.tag_id}::text is null or exists (
        select 1 from tags where id = ${status.tag_id} and owner_id = ${author.id} and deleted_at is null for key share)
      returning *)
    select ${statusColumns(author)} from s join users u on u.id = s.author_id left join tags t on t.id = s.tag_id`);
}

/**
 * Writes what an edit changes, and keeps what it said before when the words changed: of more than `status_edits`, the
 * original and the latest.
 */
export async function updateStatus(
  db: Queryable,
  before: StatusRow,
  edit: { body: string; mentions: MentionRow[]; visibility: string | undefined; media: string[] | undefined },
  now: Date,
): Promise<void> {
  const media_count = edit.media?.length ?? before.media.length;
  const visibility = edit.visibility ?? before.visibility;
  const files_before = before.media.map(({ id }) => id).join();
  const is_same = edit.body === before.body && (edit.media?.join() ?? files_before) === files_before;
  if (edit.body !== before.body) {
    await db.run(sql`
      with replaced as (
        insert into status_edits (status_id, body, replaced_at, number)
        select ${before.id}, ${before.body}, ${now}::timestamptz,
               coalesce((select max(number) + 1 from status_edits where status_id = ${before.id}), 0)
        returning number)
      delete from status_edits e using replaced
      where e.status_id = ${before.id} and e.number > 0
        and e.number <= replaced.number - ${default_limits.status_edits - 1}::int`);
  }
  await db.run(sql`
    update statuses set body = ${edit.body}, mentions = ${JSON.stringify(edit.mentions)}::jsonb, visibility = ${visibility},
      media_count = ${media_count}, edited_at = ${is_same ? before.edited_at : now}::timestamptz
    where id = ${before.id}`);
}

export type NewReply = { status_id: string; body: string; mentions: MentionRow[] };

export async function insertReply({ db, id, now }: Change, reply: NewReply, author_id: string): Promise<ReplyRow> {
  return db.one<ReplyRow>(sql`
    with r as (
      insert into replies (id, status_id, author_id, body, mentions, created_at)
      values (${id('reply')}, ${reply.status_id}, ${author_id}, ${reply.body}, ${JSON.stringify(reply.mentions)}::jsonb, ${now})
      returning *)
    select ${reply_columns} from r join users u on u.id = r.author_id`);
}

/**
 * Follows up to `few` are asked one by one; a reader of more looks first through the last `recent` statuses of all, and
 * asks stream by stream only when those do not fill the page.
 */
const feed_bounds = { few: 100, recent: 1000 };

/**
 * The feed, by its definition: statuses of what the reader follows, and their own, newest first, less what they may not
 * see. It is computed when it is read, so that it is right after any absence and a post costs the same for any number of
 * followers. Both ways of finding it give the same rows, and just one of them finds any; each is a statement of its own,
 * because a plan that holds both costs the many readers of few a third more.
 */
export async function selectFeed(
  db: Queryable,
  page: Page,
  viewer: Viewer,
  { few, recent } = feed_bounds,
): Promise<StatusRow[]> {
  const readers = readersOf(viewer.services);
  const read = {
    few: () => db.many<StatusRow>(feedOfFew(page, viewer, few)),
    many: () => db.many<StatusRow>(feedOfMany(page, viewer, few, recent)),
  };
  const expected = readers.get(viewer.id) ?? (db.is_pipelined ? undefined : 'few');
  if (expected) {
    const rows = await read[expected]();
    if (rows.length > 0) return rows;
    const other = expected === 'few' ? 'many' : 'few';
    const others = await read[other]();
    if (others.length > 0) remember(readers, viewer.id, other);
    else readers.delete(viewer.id);
    return others;
  }
  // Asked at once, the second costs less than a trip of its own after the first.
  const [of_few, of_many] = await Promise.all([read.few(), read.many()]);
  if (of_few.length + of_many.length > 0) remember(readers, viewer.id, of_few.length > 0 ? 'few' : 'many');
  return of_few.length > 0 ? of_few : of_many;
}

type Reading = 'few' | 'many';

/** Which statement found the rows of each reader's last feed. A hint only: the wrong statement finds no rows, and the other is asked. */
const readings = new WeakMap<Services, Map<string, Reading>>();
/** The most recent readers whose hint is kept. */
const max_readers = 10_000;

function readersOf(services: Services): Map<string, Reading> {
  const known = readings.get(services) ?? new Map<string, Reading>();
  readings.set(services, known);
  return known;
}

function remember(readers: Map<string, Reading>, user_id: string, reading: Reading): void {
  readers.delete(user_id);
  readers.set(user_id, reading);
  const [oldest] = readers.keys();
  if (readers.size > max_readers && oldest !== undefined) readers.delete(oldest);
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
function feedPage(page: Page, viewer: Viewer): Sql {
  return sql`
    select ${statusColumns(viewer)}
    from (select id from found order by id desc limit ${reachOf(page).size}::int) f
      join statuses s on s.id = f.id join users u on u.id = s.author_id left join tags t on t.id = s.tag_id
    order by s.id desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/** For a reader of few streams, each asked for its newest. For a reader of many it finds nothing. */
function feedOfFew(page: Page, viewer: Viewer, few: number): Sql {
  const follows_few = sql`(select count(*) from follow) <= ${few}::int`;
  return sql`
    with follow as materialized (
      select f.tag_id, f.owner_id from ${followed(viewer)} limit ${few + 1}::int),
    ${stream_of_follow},
    found as (${newestOfStreams(page, follows_few)} union all ${ownStatuses(page, viewer, follows_few)})
    ${feedPage(page, viewer)}`;
}

/**
 * For a reader of many: the newest of all that belong to a stream of theirs, and when those are too few, as for others.
 * For a reader of few it finds nothing, and looks no further than at how many they follow.
 */
function feedOfMany(page: Page, viewer: Viewer, few: number, recent: number): Sql {
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
    ${feedPage(page, viewer)}`;
}

/** Notes that somebody likes a status. @returns the like, or undefined where they did so already */
export async function insertLike(
  { db, id, now }: Change,
  status_id: string,
  user_id: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    with made as (
      insert into status_likes (id, status_id, user_id, created_at)
      select ${id('like')}, s.id, ${user_id}, ${now}::timestamptz from statuses s where s.id = ${status_id} for update
      on conflict (status_id, user_id) do nothing returning id)
    update statuses set like_count = like_count + 1 from made where statuses.id = ${status_id} returning made.id`);
  return row?.id;
}

/** Takes a like back. @returns it, or undefined where there was none */
export async function deleteLike(db: Queryable, status_id: string, user_id: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    with gone as (
      delete from status_likes where status_id = ${status_id} and user_id = ${user_id} returning id)
    update statuses set like_count = like_count - 1 from gone where statuses.id = ${status_id} returning gone.id`);
  return row?.id;
}

/** Takes back the likes of a deleted account, a portion of them. @returns what they were */
export async function deleteLikesOf(db: Queryable, user_id: string, portion: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    with gone as (
      delete from status_likes where user_id = ${user_id} and status_id = any(array(
        select status_id from status_likes where user_id = ${user_id} order by status_id limit ${portion}::int))
      returning id, status_id),
    counted as (update statuses set like_count = like_count - 1 from gone where statuses.id = gone.status_id)
    select id from gone`);
  return rows.map(({ id }) => id);
}
