import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

/**
 * An age for a narrow place: "5 min", "2 h", a weekday, then the date, with its year if that is another one.
 * @param at RFC 3339
 */
export function describeAge(at: string, now_ms = Date.now()): string {
  const [day, minutes] = [new Date(at), Math.floor((now_ms - Date.parse(at)) / 60_000)];
  if (minutes < 1) return i18n.t('just now');
  if (minutes < 60) return i18n.t('{minutes} min', { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return i18n.t('{hours} h', { hours });
  if (hours < 6 * 24) return formatDate(day, { weekday: 'short' });
  const year = day.getFullYear() === new Date(now_ms).getFullYear() ? undefined : 'numeric';
  return formatDate(day, { day: 'numeric', month: 'short', year });
}
