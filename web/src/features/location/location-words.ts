import { nameOf } from '../../ui/avatar.tsx';
import { describeDay } from '../chat/arrange-messages.ts';
import type { LocationSettings, PersonLocation } from './location-queries.ts';

/** A moment to come, in words: the time today, else the day and the time. */
export function describeEnd(at: string): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  const is_today = date.toDateString() === new Date().toDateString();
  return is_today ? time : `${describeDay(date)} ${time}`;
}

function describeViewers({ mode, viewers }: LocationSettings): string {
  if (mode === 'followers') return 'Your followers';
  if (mode === 'contacts') return 'Your contacts';
  if (mode === 'public') return 'Everyone';
  const [first, second] = viewers;
  if (first === undefined) return 'No one yet';
  if (viewers.length === 1) return nameOf(first);
  if (viewers.length === 2 && second !== undefined) return `${nameOf(first)} and ${nameOf(second)}`;
  return `${nameOf(first)} and ${viewers.length - 1} others`;
}

/** The one sentence that says who sees the reader, how near and until when. */
export function describeSharing(settings: LocationSettings): string {
  const { mode, viewers, precision, expires_at } = settings;
  if (mode === 'off' || expires_at === null) return 'No one can see where you are';
  const verb = mode === 'public' || (mode === 'selected' && viewers.length <= 1) ? 'sees' : 'see';
  const near = precision === 'exact' ? 'exactly' : 'within 1 km';
  return `${describeViewers(settings)} ${verb} you ${near} until ${describeEnd(expires_at)}`;
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
  if (distance_m < 950) return `${Math.max(50, Math.round(distance_m / 50) * 50)} m`;
  return `${(distance_m / 1000).toLocaleString(undefined, { maximumFractionDigits: distance_m < 10_000 ? 1 : 0 })} km`;
}

/** Where somebody is, as well as one can say it: how far from the reader, else the coordinates. */
export function describePlace(person: PersonLocation, me: Point | undefined): string {
  const { latitude, longitude, precision } = person;
  if (me !== undefined) {
    const far = describeDistance(distanceBetween(me, person));
    return precision === 'approximate' ? `About ${far} away` : `${far} away`;
  }
  const digits = precision === 'exact' ? 4 : 2;
  return `${precision === 'exact' ? 'At' : 'Near'} ${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
}
