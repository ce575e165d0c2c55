import { clockTime } from '../../i18n/clock-time.ts';
import { formatDate, formatDateTime } from '../../i18n/format.ts';

const DAY_MS = 86_400_000;

/** The time of a chat's newest message: the time today, the weekday within a week, otherwise the date. */
export function ListTime({ at }: { at: string }) {
  const date = new Date(at);
  const midnight = new Date().setHours(0, 0, 0, 0);
  const words =
    date.getTime() >= midnight
      ? clockTime(date)
      : date.getTime() > midnight - 6 * DAY_MS
        ? formatDate(date, { weekday: 'short' })
        : formatDate(date, { day: 'numeric', month: 'short' });
  return (
    <time dateTime={at} title={formatDateTime(date)}>
      {words}
    </time>
  );
}
