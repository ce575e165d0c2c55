import { nameOf } from '../../ui/avatar.tsx';
import { describeDay } from '../chat/arrange-messages.ts';
import type { LocationSettings } from './location-queries.ts';
import { clockTime } from '../../i18n/clock-time.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A future time as text: the time today, otherwise day and time. */
export function describeEnd(at: string): string {
  const date = new Date(at);
  const time = clockTime(date);
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

/** One sentence that says who sees the reader's location, how precisely and until when. */
export function describeSharing(settings: LocationSettings): string {
  const { mode, viewers, precision, expires_at } = settings;
  if (mode === 'off' || expires_at === null) return i18n.t('No one can see where you are');
  const values = {
    viewers: describeViewers(settings),
    // The number of viewers, for languages whose verb depends on it.
    count: mode === 'public' || (mode === 'selected' && viewers.length <= 1) ? 1 : Math.max(2, viewers.length),
    end: describeEnd(expires_at),
  };
  return precision === 'exact'
    ? i18n.t(
        '{count, plural, one {{viewers} can see your precise location until {end}} other {{viewers} can see your precise location until {end}}}',
        values,
      )
    : i18n.t(
        '{count, plural, one {{viewers} can see your approximate location until {end}} other {{viewers} can see your approximate location until {end}}}',
        values,
      );
}
