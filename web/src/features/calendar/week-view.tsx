import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { CSSProperties } from 'react';
import { addDays, daysOfWeek, describeDay, today } from './days.ts';
import { describeTime } from './event-words.ts';
import { colourOf, layOutDay, onDay } from './recurrence/occurrences.ts';
import type { Occurrence, Slot } from './recurrence/occurrences.ts';
import { useDrawEvent } from './use-draw-event.ts';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

interface WeekProps {
  day: string;
  is_wide: boolean;
  occurrences: readonly Occurrence[];
  onDay: (day: string) => void;
  onNew: (day: string, from_min: number, length_min: number) => void;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DAYS_OF_PHONE = 3;
const place = (from_min: number, to_min: number, lane = 0, lanes = 1) =>
  ({ '--from': from_min, '--to': to_min, '--lane': lane, '--lanes': lanes }) as CSSProperties;
const hourWords = (hour: number): string =>
  new Date(2000, 0, 1, hour).toLocaleTimeString(locale(), { hour: 'numeric' });

function EventLink({ occurrence, slot }: { occurrence: Occurrence; slot?: Slot }) {
  const { event, starts_at } = occurrence;
  return (
    <Link
      to="/calendar/$eventId"
      params={{ eventId: event.id }}
      search={{ at: event.rrule === null ? undefined : starts_at }}
      className={slot === undefined ? 'cal-ev' : 'cal-slot'}
      data-colour={colourOf(event)}
      style={slot && place(slot.from_min, slot.to_min, slot.lane, slot.lanes)}
      draggable={false}
    >
      <bdi>{event.title}</bdi>
      {slot === undefined ? null : <span>{describeTime(starts_at)}</span>}
    </Link>
  );
}

function Column({ on, occurrences, onNew }: { on: string } & Pick<WeekProps, 'occurrences' | 'onNew'>) {
  const { drawn, handlers } = useDrawEvent((from_min, length_min) => onNew(on, from_min, length_min));
  return (
    <div className="cal-column" data-today={on === today() ? '' : undefined} {...handlers}>
      {layOutDay(occurrences, on).map((slot) => (
        <EventLink
          key={`${slot.occurrence.event.id} ${slot.occurrence.starts_at}`}
          occurrence={slot.occurrence}
          slot={slot}
        />
      ))}
      {drawn === undefined ? null : <span className="cal-drawn" style={place(drawn.from_min, drawn.to_min)} />}
    </div>
  );
}

/** Seven days, on a phone three, by the hour: a drag over free time makes an event, and so does a tap. */
export function WeekView({ day, is_wide, occurrences, onDay: choose, onNew }: WeekProps) {
  const days = is_wide ? daysOfWeek(day) : Array.from({ length: DAYS_OF_PHONE }, (_, index) => addDays(day, index));
  const hours = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The day begins at seven for most.
    if (hours.current !== null) hours.current.scrollTop = hours.current.scrollHeight * (6.5 / 24);
  }, []);
  return (
    <section className="cal-week" aria-label={i18n.t('Week')} style={{ '--days': days.length } as CSSProperties}>
      <div className="cal-week-head">
        <span />
        {days.map((on) => (
          <div key={on}>
            <button
              type="button"
              className="cal-day"
              aria-pressed={on === day}
              aria-current={on === today() ? 'date' : undefined}
              onClick={() => choose(on)}
            >
              <span>{describeDay(on, { weekday: 'short' })}</span>
              <span className="cal-n">{Number(on.slice(8))}</span>
              <span className="visually-hidden">{describeDay(on, { month: 'long' })}</span>
            </button>
            {onDay(occurrences, on)
              .filter(({ event }) => event.all_day)
              .map((occurrence) => (
                <EventLink key={`${occurrence.event.id} ${occurrence.starts_at}`} occurrence={occurrence} />
              ))}
          </div>
        ))}
      </div>
      <div className="cal-hours" ref={hours} tabIndex={0} role="group" aria-label={i18n.t('Hours of these days')}>
        <div className="cal-scale" aria-hidden="true">
          {HOURS.slice(1).map((hour) => (
            <span key={hour} style={place(hour * 60, hour * 60)}>
              {hourWords(hour)}
            </span>
          ))}
        </div>
        {days.map((on) => (
          <Column key={on} on={on} occurrences={occurrences} onNew={onNew} />
        ))}
      </div>
    </section>
  );
}
