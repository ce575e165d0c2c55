/** Positions as viewers see them: with the permitted precision, and only while permitted. */
import { raw, sql, type Sql } from '../../kernel/database/database.ts';
import { moment, nullable, oneOf, Type } from '../../kernel/schema.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import type { AnyViewer } from '../visibility/viewer.ts';
import { cell_accuracy_m } from './cell.ts';

/** How precisely a position is shared. */
export const location_precisions = ['exact', 'approximate'] as const;
/** How precisely a position is shared. */
export type LocationPrecision = (typeof location_precisions)[number];

/** A latitude in a request or reply. */
export const Latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' });
/** A longitude in a request or reply. */
export const Longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' });

/** A position with the precision that a viewer may know. */
export const position = {
  latitude: Latitude,
  longitude: Longitude,
  accuracy_m: Type.Number({ minimum: 0 }),
  precision: oneOf(...location_precisions),
  heading: nullable(Type.Number()),
  speed_mps: nullable(Type.Number()),
  battery: nullable(Type.Number()),
  recorded_at: moment,
};

/** A person on the map of a viewer, and when that ends at the latest. */
export const personLocation = { user: PublicUser, ...position, expires_at: moment };

/** Older positions are not shown and are deleted. */
export const position_ttl_s = 24 * 60 * 60;

/** A position: its cell, and, where it is shared exactly, its coordinates in degrees. */
export type PositionRow = {
  user: PublicUserRow;
  precision: LocationPrecision;
  cell_latitude: number;
  cell_longitude: number;
  latitude: number | null;
  longitude: number | null;
  accuracy_m: number | null;
  heading: number | null;
  speed_mps: number | null;
  battery: number | null;
  recorded_at: Date;
  expires_at: Date;
};

/** The columns of PositionRow over `locations l`, its owner `u`, and `alias`, which has precision and expiry. */
export const positionColumns = (alias: 'ls' | 'k'): Sql => sql`
  ${publicUserJson('u')} as user, ${raw(alias)}.precision, ${raw(alias)}.expires_at, l.cell_latitude, l.cell_longitude,
  l.latitude, l.longitude, l.accuracy_m, l.heading, l.speed_mps, l.battery, l.recorded_at`;

/**
 * Whether position `l` was recorded and received after `since`, and is recent enough. Recording times are whole
 * seconds.
 */
export const isInWindow = (since: Sql, now: Date): Sql =>
  sql`l.recorded_at >= date_trunc('second', ${since}) and l.received_at >= ${since}
    and l.recorded_at > ${after(now, -position_ttl_s)}`;

/** A position as its viewers see it: for approximate precision only the cell, and nothing that varies within it. */
export function presentPosition(row: Omit<PositionRow, 'user'>) {
  const { precision, latitude, longitude } = row;
  const common = { precision, recorded_at: wireTime(row.recorded_at) };
  if (precision === 'approximate' || latitude === null || longitude === null)
    return {
      ...common,
      precision: 'approximate' as const,
      latitude: row.cell_latitude,
      longitude: row.cell_longitude,
      accuracy_m: cell_accuracy_m,
      heading: null,
      speed_mps: null,
      battery: null,
    };
  return {
    ...common,
    latitude,
    longitude,
    accuracy_m: row.accuracy_m ?? 0,
    heading: row.heading,
    speed_mps: row.speed_mps,
    battery: row.battery,
  };
}

/** A person on the map of a viewer. */
export function presentPerson(row: PositionRow, viewer: AnyViewer) {
  return {
    user: presentUser(row.user, viewer),
    ...presentPosition(row),
    expires_at: wireTime(row.expires_at),
  };
}
