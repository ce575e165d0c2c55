import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { describeDay } from '../../ui/when.tsx';
import type { Home } from '../../data/home-start.ts';
import { clockTime } from '../../i18n/clock-time.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

/** "Tomorrow 07:00", or only the day of an all-day event. */
function describeStart(event: CalendarEvent, at: Date): string {
  return event.all_day ? describeDay(at) : `${describeDay(at)} ${clockTime(at)}`;
}

type CalendarEvent = Home['upcoming_events']['items'][number];

function NextEvent({ event }: { event: CalendarEvent }) {
  const starts_at = event.occurrences?.[0]?.starts_at ?? event.starts_at;
  // An all-day event is shown by its date, which is the same in every time zone.
  const at = new Date(event.all_day ? `${starts_at.slice(0, 10)}T00:00` : starts_at);
  const goes_on = !event.all_day && at.getTime() <= Date.now();
  const place = event.location === null ? '' : ` · ${event.location}`;
  return (
    <li>
      <Link to={'/calendar' as string} className="next">
        <span className="date" aria-hidden="true">
          {formatDate(at, { weekday: 'short' })}
          <b>{at.getDate()}</b>
        </span>
        <span className="body">
          <b className="cut" dir="auto">
            {event.title}
          </b>
          <span className="soft small cut" dir="auto">
            {goes_on ? i18n.t('Now') : describeStart(event, at)}
            {place}
          </span>
        </span>
      </Link>
      {goes_on && event.call.enabled && event.call.join_code !== undefined ? (
        <Link to="/j/$joinCode" params={{ joinCode: event.call.join_code }} className="button primary small">
          {i18n.t('Join')}
          <span className="visually-hidden"> {event.title}</span>
        </Link>
      ) : null}
    </li>
  );
}

/** Upcoming events, and scheduled jobs. */
export function Agenda({ home, is_pending }: { home: Home | undefined; is_pending: boolean }) {
  const events = home?.upcoming_events.items.slice(0, 3) ?? [];
  const jobs = home?.scheduled_jobs.items ?? [];
  return (
    <section className="home-agenda" aria-labelledby="next-heading">
      <h2 id="next-heading" className="side-label">
        {i18n.t('Coming up')}
      </h2>
      {is_pending ? <SkeletonBlock height="76px" /> : null}
      {home !== undefined && events.length === 0 ? (
        <p className="soft small">
          {i18n.t('Nothing planned.')} <Link to={'/calendar' as string}>{i18n.t('Plan something')}</Link>
        </p>
      ) : null}
      <ul className="next-list">
        {events.map((event) => (
          <NextEvent key={event.id} event={event} />
        ))}
      </ul>
      {jobs.length === 0 ? null : (
        <Link to={'/scheduled' as string} className="side-link">
          <CalendarClock aria-hidden="true" className="icon m" />
          {home?.scheduled_jobs.has_more
            ? i18n.t('{count}+ scheduled messages', { count: jobs.length })
            : i18n.t('{count, plural, one {# scheduled message} other {# scheduled messages}}', {
                count: jobs.length,
              })}
        </Link>
      )}
    </section>
  );
}
