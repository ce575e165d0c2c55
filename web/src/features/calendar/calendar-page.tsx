import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Clock, Plus, Rss } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../ui/empty-state.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { Agenda } from './agenda.tsx';
import { windowQuery } from './calendar-queries.ts';
import './calendar.css';
import { listViews } from './calendar-search.ts';
import type { View } from './calendar-search.ts';
import { addDays, addMonths, daysOfWeek, describeDay, today, weekStart } from './days.ts';
import { EventForm } from './event/event-form.tsx';
import { newFields } from './event/event-fields.ts';
import type { EventFields } from './event/event-fields.ts';
import { FeedSheet } from './feed-sheet.tsx';
import { MonthView } from './month-view.tsx';
import { MoveEvents } from './move/move-events.tsx';
import { listOccurrences } from './recurrence/occurrences.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { WeekView } from './week-view.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The number of days in the agenda beside a month or a week, and alone. */
const AHEAD_DAYS = { month: 14, week: 14, agenda: 45 } as const;

interface BarProps {
  title: string;
  view: View;
  onView: (view: View) => void;
  onMove: (way: -1 | 1) => void;
  onToday: () => void;
  onNew: () => void;
  onFeed: () => void;
}

function Bar({ title, view, onView, onMove, onToday, onNew, onFeed }: BarProps) {
  const unit = view === 'month' ? 'month' : 'week';
  return (
    <header className="cal-bar">
      <div className="cal-title">
        <GoBack to="/settings" />
        <PageHeading title={title} />
        <div className="cal-moves">
          <button type="button" className="icon-button" onClick={() => onMove(-1)}>
            <ChevronLeft aria-hidden="true" />
            <span className="visually-hidden">
              {i18n.t('{unit, select, month {Previous month} other {Previous week}}', { unit })}
            </span>
          </button>
          <button type="button" className="button plain" aria-keyshortcuts="t" onClick={onToday}>
            {i18n.t('Today')}
          </button>
          <button type="button" className="icon-button" onClick={() => onMove(1)}>
            <ChevronRight aria-hidden="true" />
            <span className="visually-hidden">
              {i18n.t('{unit, select, month {Next month} other {Next week}}', { unit })}
            </span>
          </button>
        </div>
      </div>
      <div className="cal-tools">
        <div className="seg" role="group" aria-label={i18n.t('View')}>
          {listViews().map(([name, words]) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => onView(name)}>
              {words}
            </button>
          ))}
        </div>
        <Link to="/scheduled" className="icon-button">
          <Clock aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Scheduled messages')}</span>
        </Link>
        <button type="button" className="icon-button" onClick={onFeed}>
          <Rss aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Subscribe from another calendar')}</span>
        </button>
        <button type="button" className="icon-button tint" aria-keyshortcuts="n" onClick={onNew}>
          <Plus aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('New event')}</span>
        </button>
      </div>
    </header>
  );
}

function titleOf(view: View, day: string): string {
  const month: Intl.DateTimeFormatOptions = { month: 'long' };
  if (day.slice(0, 4) !== today().slice(0, 4)) month.year = 'numeric';
  if (view !== 'week') return describeDay(day, month);
  const [first = day, last = day] = [daysOfWeek(day)[0], daysOfWeek(day)[6]];
  if (first.slice(0, 7) === last.slice(0, 7)) return describeDay(first, month);
  return i18n.t('{first} to {last}', {
    first: describeDay(first, { month: 'short' }),
    last: describeDay(last, { month: 'short' }),
  });
}

/** The view and the day, stored in the address. */
function usePlace() {
  const { view = 'month', day = today() } = useSearch({ from: '/signed-in/calendar' });
  const navigate = useNavigate();
  const go = (to: { view?: View; day?: string }) =>
    void navigate({ to: '/calendar', search: { view, day, ...to }, replace: true });
  const move = (way: -1 | 1) => go({ day: view === 'month' ? addMonths(day, way) : addDays(day, way * 7) });
  return { view, day, go, move };
}

/** The calendar: a month or a week with the agenda of the chosen day, or the agenda alone. */
export function CalendarPage() {
  const { view, day, go, move } = usePlace();
  const is_wide = useWide();
  const [started, setStarted] = useState<EventFields>();
  const [feed_shown, setFeedShown] = useState(false);
  const first = `${day.slice(0, 7)}-01`;
  const events = useQuery(windowQuery(weekStart(first), addDays(addMonths(first, 1), AHEAD_DAYS.agenda)));
  const occurrences = listOccurrences(events.data ?? []);
  const start = (on: string, from_min?: number, length_min?: number) => setStarted(newFields(on, from_min, length_min));
  const choose = (on: string) => go({ day: on });
  useCalendarKeys({ day, onDay: choose, onNew: () => start(day), is_off: started !== undefined || feed_shown });
  return (
    <main id="main" tabIndex={-1} className="cal" data-view={view}>
      <MoveEvents>
        <div className="cal-main">
          <Bar
            title={titleOf(view, day)}
            view={view}
            onView={(to) => go({ view: to })}
            onMove={move}
            onToday={() => choose(today())}
            onNew={() => start(day)}
            onFeed={() => setFeedShown(true)}
          />
          {events.isError ? (
            <Failure text={describeProblem(events.error)} onRetry={() => void events.refetch()} />
          ) : null}
          {view === 'month' ? (
            <MonthView day={day} occurrences={occurrences} onDay={choose} onNew={(on) => start(on)} />
          ) : null}
          {view === 'week' ? (
            <WeekView day={day} is_wide={is_wide} occurrences={occurrences} onDay={choose} onNew={start} />
          ) : null}
        </div>
        {view === 'week' && !is_wide ? null : (
          <Agenda
            day={day}
            days={AHEAD_DAYS[view]}
            occurrences={occurrences}
            is_pending={events.isPending}
            is_failed={events.isError}
            onNew={() => start(day)}
          />
        )}
      </MoveEvents>
      {started === undefined ? null : (
        <EventForm
          start={started}
          onClose={() => setStarted(undefined)}
          onSaved={(event) => {
            setStarted(undefined);
            showToast(i18n.t('“{title}” is in your calendar.', { title: event.title }));
          }}
        />
      )}
      {feed_shown ? <FeedSheet onClose={() => setFeedShown(false)} /> : null}
    </main>
  );
}
