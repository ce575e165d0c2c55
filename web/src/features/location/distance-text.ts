/** The distance and direction of a person, as text. */
import type { PersonLocation } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatNumber } from '../../i18n/format.ts';

const EARTH_M = 6_371_000;
const inRadians = (degrees: number) => (degrees * Math.PI) / 180;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The distance between two points (haversine). */
function distanceBetween(one: Point, other: Point): number {
  const half_lat = Math.sin(inRadians(other.latitude - one.latitude) / 2);
  const half_lon = Math.sin(inRadians(other.longitude - one.longitude) / 2);
  const along = Math.cos(inRadians(one.latitude)) * Math.cos(inRadians(other.latitude));
  return 2 * EARTH_M * Math.asin(Math.sqrt(half_lat ** 2 + along * half_lon ** 2));
}

/** A distance for people: "400 m", "2.5 km", "31 km". */
export function describeDistance(distance_m: number): string {
  if (distance_m < 950) return i18n.t('{metres} m', { metres: Math.max(50, Math.round(distance_m / 50) * 50) });
  return i18n.t('{distance} km', {
    distance: formatNumber(distance_m / 1000, { maximumFractionDigits: distance_m < 10_000 ? 1 : 0 }),
  });
}

const DIRECTIONS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const;
/**
 * Below this distance a direction would only reflect the error of the measurement; an approximate position is a circle
 * of 1 km.
 */
const MIN_FAR_M = { exact: 200, approximate: 3_000 } as const;

/** The direction from one point to another (the initial bearing of a great circle). */
export function directionTo(from: Point, to: Point): (typeof DIRECTIONS)[number] {
  const [lat, other_lat] = [inRadians(from.latitude), inRadians(to.latitude)];
  const along = inRadians(to.longitude - from.longitude);
  const east = Math.sin(along) * Math.cos(other_lat);
  const north = Math.cos(lat) * Math.sin(other_lat) - Math.sin(lat) * Math.cos(other_lat) * Math.cos(along);
  const eighth = Math.round(Math.atan2(east, north) / (Math.PI / 4));
  return DIRECTIONS[(eighth + DIRECTIONS.length) % DIRECTIONS.length] ?? 'north';
}

/** The distance and direction of a person from the reader: "3 km north of you". */
export function describeRelativePosition(person: PersonLocation, me: Point): string {
  const { precision } = person;
  const far_m = distanceBetween(me, person);
  const far = describeDistance(far_m);
  if (far_m < MIN_FAR_M[precision])
    return precision === 'approximate' ? i18n.t('About {far} away', { far }) : i18n.t('{far} away', { far });
  const values = { far, direction: directionTo(me, person) };
  return precision === 'approximate'
    ? i18n.t(
        '{direction, select, north {About {far} north of you} northeast {About {far} northeast of you} east {About {far} east of you} southeast {About {far} southeast of you} south {About {far} south of you} southwest {About {far} southwest of you} west {About {far} west of you} other {About {far} northwest of you}}',
        values,
      )
    : i18n.t(
        '{direction, select, north {{far} north of you} northeast {{far} northeast of you} east {{far} east of you} southeast {{far} southeast of you} south {{far} south of you} southwest {{far} southwest of you} west {{far} west of you} other {{far} northwest of you}}',
        values,
      );
}

/** The coordinates of a person, shown when there is no map. */
export function describePoint({ latitude, longitude, precision }: PersonLocation): string {
  const digits = precision === 'exact' ? 4 : 2;
  const place = `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
  return precision === 'exact' ? i18n.t('At {place}', { place }) : i18n.t('Near {place}', { place });
}
