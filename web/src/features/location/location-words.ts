import { nameOf } from '../../ui/avatar.tsx';
import { describeDay } from '../chat/list/arrange-messages.ts';
import type { LocationSettings, PersonLocation } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

/** A moment to come, in words: the time today, else the day and the time. */
export function describeEnd(at: string): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });
  const is_today = date.toDateString() === new Date().toDateString();
  return is_today ? time : `${describeDay(date)} ${time}`;
}

function describeViewers({ mode, viewers }: LocationSettings): string {
  if (mode === 'followers') return i18n.t('Your followers');
  if (mode === 'contacts') return i18n.t('Your contacts');
  if (mode === 'public') return i18n.t('Everyone');
  const [first, second] = viewers;
  if (first === undefined) return i18n.t('No one yet');
  if (viewers.length === 1) return nameOf(first);
  if (viewers.length === 2 && second !== undefined)
    return i18n.t('{name} and {other}', { name: nameOf(first), other: nameOf(second) });
  return i18n.t('{count, plural, one {{name} and # other} other {{name} and # others}}', {
    name: nameOf(first),
    count: viewers.length - 1,
  });
}

/** The one sentence that says who sees the reader, how near and until when. */
export function describeSharing(settings: LocationSettings): string {
  const { mode, viewers, precision, expires_at } = settings;
  if (mode === 'off' || expires_at === null) return i18n.t('No one can see where you are');
  const values = {
    viewers: describeViewers(settings),
    // How many see, for languages whose verb tells it.
    count: mode === 'public' || (mode === 'selected' && viewers.length <= 1) ? 1 : Math.max(2, viewers.length),
    end: describeEnd(expires_at),
  };
  return precision === 'exact'
    ? i18n.t(
        '{count, plural, one {{viewers} sees you exactly until {end}} other {{viewers} see you exactly until {end}}}',
        values,
      )
    : i18n.t(
        '{count, plural, one {{viewers} sees you within 1 km until {end}} other {{viewers} see you within 1 km until {end}}}',
        values,
      );
}

const EARTH_M = 6_371_000;
const inRadians = (degrees: number) => (degrees * Math.PI) / 180;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** How far two points are from each other (haversine). */
function distanceBetween(one: Point, other: Point): number {
  const half_lat = Math.sin(inRadians(other.latitude - one.latitude) / 2);
  const half_lon = Math.sin(inRadians(other.longitude - one.longitude) / 2);
  const along = Math.cos(inRadians(one.latitude)) * Math.cos(inRadians(other.latitude));
  return 2 * EARTH_M * Math.asin(Math.sqrt(half_lat ** 2 + along * half_lon ** 2));
}

/** A distance as people say it: "400 m", "2.5 km", "31 km". */
export function describeDistance(distance_m: number): string {
  if (distance_m < 950) return i18n.t('{metres} m', { metres: Math.max(50, Math.round(distance_m / 50) * 50) });
  return i18n.t('{distance} km', {
    distance: (distance_m / 1000).toLocaleString(locale(), { maximumFractionDigits: distance_m < 10_000 ? 1 : 0 }),
  });
}

/** Where somebody is, as well as one can say it: how far from the reader, else the coordinates. */
export function describePlace(person: PersonLocation, me: Point | undefined): string {
  const { latitude, longitude, precision } = person;
  if (me !== undefined) {
    const far = describeDistance(distanceBetween(me, person));
    return precision === 'approximate' ? i18n.t('About {far} away', { far }) : i18n.t('{far} away', { far });
  }
  const digits = precision === 'exact' ? 4 : 2;
  const place = `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
  return precision === 'exact' ? i18n.t('At {place}', { place }) : i18n.t('Near {place}', { place });
}
