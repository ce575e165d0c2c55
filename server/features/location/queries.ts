import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { distance_m, type Point } from '../../domain/location/cell.ts';
import {
  isInWindow,
  position_ttl_s,
  positionColumns,
  type LocationPrecision,
  type PositionRow,
} from '../../domain/location/positions.ts';
import { sharesLocationWith } from '../../domain/visibility/location.ts';
import { maySeeUser, mayReach } from '../../domain/visibility/people.ts';
import { row_by_row } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limit, pageOf, type Page } from '../../kernel/page.ts';
import { after } from '../../kernel/time.ts';
import type { LocationMode } from './schemas.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** With whom, how precisely and until when an account shares its position. */
export type SettingsRow = {
  mode: LocationMode;
  precision: LocationPrecision;
  expires_at: Date | null;
  viewers: PublicUserRow[];
};

/** An account's current settings; sharing is off once it has expired. */
export async function selectSettings(db: Queryable, user_id: string, now: Date): Promise<SettingsRow> {
  return db.one<SettingsRow>(sql`
    select case when ls.expires_at > ${now} then ls.mode else 'off' end as mode,
      coalesce(ls.precision, 'approximate') as precision, case when ls.expires_at > ${now} then ls.expires_at end as expires_at,
      coalesce((
        select json_agg(${publicUserJson('u')} order by lv.viewer_id) from location_viewers lv join users u on u.id = lv.viewer_id
        where lv.owner_id = ${user_id} and ${maySeeUser(user_id)}), '[]') as viewers
    from (select 1) one left join location_settings ls on ls.user_id = ${user_id}`);
}

/** The advisory lock of one account's settings: shared by reports of its position. */
export const lockKey = (user_id: string): Sql => sql`hashtextextended(${`location:${user_id}`}, 0)`;

/** Locks one account's settings until the end of the transaction, and waits for positions that are being stored. */
export async function lockSettings(db: Queryable, user_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(${lockKey(user_id)})`);
}

/** The accounts among some that a person may select: those that exist for them. */
export async function selectSelectable(db: Queryable, user_id: string, ids: string[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(
    sql`select u.id from users u where u.id = any(${ids}::text[]) and u.id <> ${user_id} and ${maySeeUser(user_id)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the people whom an account has selected. */
export async function replaceViewers(db: Queryable, user_id: string, ids: string[]): Promise<void> {
  await db.run(sql`delete from location_viewers where owner_id = ${user_id} and viewer_id <> all(${ids}::text[])`);
  await db.run(sql`
    insert into location_viewers (owner_id, viewer_id) select ${user_id}, v from unnest(${ids}::text[]) v
    on conflict do nothing`);
}

/** Settings before they are stored. */
export type NewSettings = Pick<SettingsRow, 'mode' | 'precision' | 'expires_at'>;

/** Whether link `k` is valid. */
const isLive = (now: Date) => sql`k.revoked_at is null and k.expires_at > ${now}`;

/** What of position `l` is more precise than its cell, removed. */
export const removedDetails = sql`
  latitude = null, longitude = null, accuracy_m = null, heading = null, speed_mps = null, battery = null`;

/**
 * Removes of an account's position what nobody may see any more: all of it, or what is more precise than its cell. The
 * caller has locked the settings.
 */
export async function trimPosition(db: Queryable, user_id: string, now: Date): Promise<void> {
  await db.run(sql`
    with seen as (
      select bool_or(precision = 'exact') as is_exact from (
        select precision from location_settings where user_id = ${user_id} and mode <> 'off' and expires_at > ${now}
        union all
        select k.precision from location_links k where k.owner_id = ${user_id} and ${isLive(now)}) shares),
    deleted as (delete from locations where user_id = ${user_id} and (select is_exact from seen) is null)
    update locations set ${removedDetails} where user_id = ${user_id} and not (select is_exact from seen)`);
}

/**
 * Writes settings, which the caller has locked. Earlier positions are not shown when sharing starts, and what nobody may
 * see any more is removed.
 */
export async function writeSettings(
  db: Queryable,
  user_id: string,
  { mode, precision, expires_at }: NewSettings,
  begins: boolean,
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into location_settings as ls (user_id, mode, precision, expires_at, shared_since)
    values (${user_id}, ${mode}, ${precision}, ${expires_at}, ${now})
    on conflict (user_id) do update set mode = excluded.mode, precision = excluded.precision, expires_at = excluded.expires_at,
      shared_since = case when ${begins}::boolean then excluded.shared_since else ls.shared_since end`);
  await trimPosition(db, user_id, now);
}

/** The people who share their position with a viewer now, latest first. */
export async function selectPeople(db: Queryable, viewer_id: string, page: Page, now: Date): Promise<PositionRow[]> {
  return db.many<PositionRow>(sql`
    select ${positionColumns('ls')} from (
      select owner_id from location_viewers where viewer_id = ${viewer_id}
      union
      select owner_id from follows where follower_id = ${viewer_id}
      union
      select a.owner_id from users k join contact_addresses a on a.address = any(array[
          k.id, case when k.mobile_verified then k.mobile_number end, case when k.email_verified then k.email end]
          || array(select '*' || t.name from tags t where t.owner_id = k.id and t.deleted_at is null)::text[])
        where k.id = ${viewer_id}) candidates
      cross join lateral (
        select s.* from location_settings s
        where s.user_id = candidates.owner_id and s.mode <> 'off' and s.expires_at > ${now} ${row_by_row}) ls
      cross join lateral (select p.* from locations p where p.user_id = ls.user_id ${row_by_row}) l
      cross join lateral (select o.* from users o where o.id = ls.user_id ${row_by_row}) u
    where ${isInWindow(sql`ls.shared_since`, now)} and u.id <> ${viewer_id} and ${maySeeUser(viewer_id)} and ${sharesLocationWith(viewer_id)}
    order by l.recorded_at desc, u.id limit ${(page.limit ?? default_limit) + 1}::int offset ${page.offset ?? 0}::int`);
}

/** How many of the nearest are considered. */
const max_candidates = default_limits.location_nearby;
/** The minimum length of one degree of latitude, in metres. */
const degree_m = 110_500;

/** A position and its distance from the viewer, in metres. */
export type NearbyRow = PositionRow & { distance_m: number };

/** Bounding boxes of all points within a distance, two of them across the date line. */
function boxesAround({ latitude, longitude }: Point, radius_m: number): Sql {
  const rise = radius_m / degree_m;
  const [south, north] = [Math.max(-90, latitude - rise), Math.min(90, latitude + rise)];
  const narrowest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const half_width = narrowest < 0.01 ? 180 : Math.min(180, rise / narrowest);
  const box = (west: number, east: number) =>
    sql`point(l.cell_longitude, l.cell_latitude) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`;
  const [west, east] = [longitude - half_width, longitude + half_width];
  if (half_width >= 180) return box(-180, 180);
  if (west < -180) return sql`(${box(-180, east)} or ${box(west + 360, 180)})`;
  if (east > 180) return sql`(${box(west, 180)} or ${box(-180, east - 360)})`;
  return box(west, east);
}

/**
 * Accounts with public positions near a place: by the distance of their cells in whole kilometres, nearest first. Only
 * cells are used, whatever precision their owners have chosen.
 */
export async function selectNearby(
  db: Queryable,
  viewer_id: string,
  place: Point,
  radius_m: number,
  now: Date,
): Promise<NearbyRow[]> {
  const rows = await db.many<PositionRow>(sql`
    select ${positionColumns('ls')} from locations l
      join location_settings ls on ls.user_id = l.user_id and ls.mode = 'public' and ls.expires_at > ${now}
      join users u on u.id = l.user_id
    where ${boxesAround(place, radius_m)} and ${isInWindow(sql`ls.shared_since`, now)}
      and u.id <> ${viewer_id} and ${maySeeUser(viewer_id)} and u.reach ->> 'find' = 'everyone' and ${mayReach(viewer_id, 'find')}
    order by point(l.cell_longitude, l.cell_latitude) <-> point(${place.longitude}::float8, ${place.latitude}::float8)
    limit ${max_candidates}::int`);
  return rows
    .map((row) => ({
      ...row,
      distance_m: distance_m(place, { latitude: row.cell_latitude, longitude: row.cell_longitude }),
    }))
    .filter((row) => row.distance_m <= radius_m)
    .map((row) => ({ ...row, distance_m: Math.round(row.distance_m / 1000) * 1000 }))
    .sort((one, other) => one.distance_m - other.distance_m || (one.user.id < other.user.id ? -1 : 1));
}

/** Deletes expired positions, up to a limit. */
export const deleteOldPositions = (db: Queryable, now: Date, portion: number): Promise<number> =>
  db.run(sql`
    delete from locations where user_id = any(array(
      select user_id from locations where recorded_at <= ${after(now, -position_ttl_s)} limit ${portion}::int))`);

/** When and how often a person, or a link, viewed a position. */
export type ViewRow = {
  id: string;
  viewer: PublicUserRow | null;
  link_id: string | null;
  first_at: Date;
  last_at: Date;
  count: number;
};

/** Who viewed an owner's position, newest entries first: there is one for each viewer, from the first view on. */
export async function selectViews(db: Queryable, owner_id: string, page: Page): Promise<ViewRow[]> {
  return db.many<ViewRow>(sql`
    select w.id, w.link_id, w.first_at, w.last_at, w.count, case when u.id is not null then ${publicUserJson('u')} end as viewer
    from location_views w left join users u on u.id = w.viewer_id
    where w.owner_id = ${owner_id} and (w.link_id is not null or (${maySeeUser(owner_id)})) ${pageOf(page, 'w.id')}`);
}

/** A public link to a position, with its encrypted token. */
export type LinkRow = {
  id: string;
  sealed: string;
  precision: LocationPrecision;
  created_at: Date;
  expires_at: Date;
  view_count: number;
};

/** The columns of LinkRow, over `location_links k`. */
const link_columns = sql`
  k.id, k.precision, k.created_at, k.expires_at,
  (select p.sealed from public_links p where p.kind = 'location' and p.subject_id = k.id) as sealed,
  coalesce((select w.count from location_views w where w.link_id = k.id), 0) as view_count`;

/** An owner's valid links, newest first. */
export async function selectLinks(db: Queryable, owner_id: string, page: Page, now: Date): Promise<LinkRow[]> {
  return db.many<LinkRow>(sql`
    select ${link_columns} from location_links k where k.owner_id = ${owner_id} and ${isLive(now)} ${pageOf(page, 'k.id')}`);
}

/** Inserts a link if the owner's plan has room. @returns whether it did. The caller has locked the settings. */
export async function insertLocationLink(
  db: Queryable,
  link: { id: string; owner_id: string; precision: LocationPrecision; created_at: Date; expires_at: Date },
  allowed: number,
): Promise<boolean> {
  const made = await db.run(sql`
    insert into location_links (id, owner_id, precision, created_at, expires_at)
    select ${link.id}, ${link.owner_id}, ${link.precision}, ${link.created_at}::timestamptz, ${link.expires_at}::timestamptz
    where (
      select count(*) from location_links k where k.owner_id = ${link.owner_id} and ${isLive(link.created_at)}) < ${allowed}::int`);
  return made > 0;
}

/** Revokes a link of an owner. @returns whether there was one, valid or not */
export async function closeLocationLink(db: Queryable, id: string, owner_id: string, now: Date): Promise<boolean> {
  const closed = await db.run(sql`
    update location_links set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} and owner_id = ${owner_id}`);
  return closed > 0;
}
