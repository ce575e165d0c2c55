/** Reported positions: which are stored, and who receives them live. */
import { cellOf, type Point } from '../../../domain/location/cell.ts';
import { isInWindow, positionColumns, type PositionRow } from '../../../domain/location/positions.ts';
import { areNotBlocked, isActive } from '../../../domain/visibility/people.ts';
import { row_by_row } from '../../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { inOrder } from '../../../kernel/change-effects.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import { lockKey } from '../queries.ts';

/** A reported position: accuracy in metres, heading in degrees from north, speed in metres a second, battery in per cent. */
export type NewPosition = Point & {
  accuracy_m: number;
  heading: number | null;
  speed_mps: number | null;
  battery: number | null;
  recorded_at: Date;
  /** Whether it was recorded recently enough to be stored. */
  is_timely: boolean;
};

/**
 * Stores a position if it has viewers: the exact point only while some of them may see it exactly.
 * @returns undefined when nobody may see it; else whether it was stored, and whether people (not only links) see it
 */
export async function storePosition(
  db: Queryable,
  user_id: string,
  point: NewPosition,
  now: Date,
): Promise<{ is_kept: boolean; has_people: boolean } | undefined> {
  const cell = cellOf(point);
  // So that a change that ends sharing either is seen here or finds the position and deletes it. Not awaited: it shares the
  // round trip of the statement. A lock of the row would write to the log, and wait for the disk.
  const locked = db.run(sql`select pg_advisory_xact_lock_shared(${lockKey(user_id)})`);
  const stored = db.maybe<{ is_kept: boolean; has_people: boolean }>(sql`
    with ls as (
      select precision, shared_since from location_settings
      where user_id = ${user_id} and mode <> 'off' and expires_at > ${now}),
    k as (
      select bool_or(precision = 'exact') as is_exact, min(created_at) as since from location_links
      where owner_id = ${user_id} and revoked_at is null and expires_at > ${now}),
    seen as (
      select coalesce(ls.precision = 'exact', false) or coalesce(k.is_exact, false) as is_exact,
             least(ls.shared_since, k.since) as since, ls.precision is not null as has_people
      from k left join ls on true where ls.precision is not null or k.since is not null),
    kept as (
      insert into locations as l (user_id, cell_latitude, cell_longitude, latitude, longitude, accuracy_m, heading, speed_mps,
        battery, recorded_at, received_at)
      select ${user_id}, ${cell.latitude}, ${cell.longitude}, e.latitude, e.longitude, e.accuracy_m, e.heading, e.speed_mps,
        e.battery, ${point.recorded_at}::timestamptz, ${now}::timestamptz
      from seen left join (
        select ${point.latitude}::float8 as latitude, ${point.longitude}::float8 as longitude,
          ${point.accuracy_m}::float8 as accuracy_m, ${point.heading}::float8 as heading,
          ${point.speed_mps}::float8 as speed_mps, ${point.battery}::float8 as battery) e on seen.is_exact
      where ${point.is_timely}::boolean and ${point.recorded_at}::timestamptz >= date_trunc('second', seen.since)
      on conflict (user_id) do update set cell_latitude = excluded.cell_latitude, cell_longitude = excluded.cell_longitude,
        latitude = excluded.latitude, longitude = excluded.longitude, accuracy_m = excluded.accuracy_m,
        heading = excluded.heading, speed_mps = excluded.speed_mps, battery = excluded.battery,
        recorded_at = excluded.recorded_at, received_at = excluded.received_at
      where excluded.recorded_at >= l.recorded_at
      returning 1)
    select exists (select 1 from kept) as is_kept, has_people from seen`);
  await inOrder([locked, stored]);
  return stored;
}

/** The maximum of live viewers of each kind; all others see a position when they fetch it. */
const max_live_viewers = default_limits.location_live_viewers;

/** The connected people who see the position of owner `ls.user_id`. */
const connectedViewers: Sql = sql`
  select v.id from (
    select lv.viewer_id as id from location_viewers lv where ls.mode = 'selected' and lv.owner_id = ls.user_id
    union
    select f.follower_id from (
      select follower_id from follows where owner_id = ls.user_id and ls.mode in ('followers', 'public')
      order by id desc limit ${max_live_viewers}::int) f
    union
    select known.id from (
      select address from contact_addresses where owner_id = ls.user_id and ls.mode in ('contacts', 'public')
      limit ${max_live_viewers}::int) a
      cross join lateral (
        select id from users where id = a.address
        union all select id from users where mobile_number = a.address and mobile_verified
        union all select id from users where email = a.address and email_verified
        union all select owner_id from tags where '*' || name = a.address and deleted_at is null) known) v
  where v.id <> ls.user_id and ${areNotBlocked(sql`ls.user_id`, 'v.id')}
    and exists (select 1 from presence p where p.user_id = v.id)`;

/** The positions that some owners share now, each with the connected people who see it. */
export async function selectLive(
  db: Queryable,
  owner_ids: string[],
  now: Date,
): Promise<{ row: PositionRow; viewers: string[] }[]> {
  const rows = await db.many<PositionRow & { viewers: string[] }>(sql`
    select ${positionColumns('ls')}, to_json(array(${connectedViewers})) as viewers
    from unnest(${owner_ids}::text[]) owner (id)
      cross join lateral (select p.* from locations p where p.user_id = owner.id ${row_by_row}) l
      cross join lateral (
        select s.* from location_settings s
        where s.user_id = owner.id and s.mode <> 'off' and s.expires_at > ${now} ${row_by_row}) ls
      cross join lateral (
        select o.* from users o
        where o.id = owner.id and ${isActive('o')} ${row_by_row}) u
    where ${isInWindow(sql`ls.shared_since`, now)}`);
  return rows.map((row) => ({ row, viewers: row.viewers }));
}

/** The connected people who see an owner's position, by the current settings. */
export async function selectConnectedViewers(db: Queryable, user_id: string): Promise<string[]> {
  const row = await db.maybe<{ viewers: string[] }>(sql`
    select array(${connectedViewers})::text[] as viewers from location_settings ls
    where ls.user_id = ${user_id} and ls.mode <> 'off'`);
  return row?.viewers ?? [];
}
