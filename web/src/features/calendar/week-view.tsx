import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { CSSProperties } from 'react';
import { addDays, daysOfWeek, describeDay, today } from './days.ts';
import { describeTime } from './event-text.ts';
import { colourOf, layOutDay, onDay } from './recurrence/occurrences.ts';
import type { Occurrence, Slot } from './recurrence/occurrences.ts';
import { keyOf, movedOnto, useMoveActions } from './move/moving.ts';
import { useDrag } from './move/use-drag.ts';
import { useMoveKeys } from './move/use-move-keys.ts';
import { useDrawEvent } from './use-draw-event.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

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
const hourWords = (hour: number): string => formatDate(new Date(2000, 0, 1, hour), { hour: 'numeric' });

interface EventProps {
  occurrence: Occurrence;
  /** Its position in the column; undefined in the header, for all-day events. */
  slot?: Slot;
  /** The day of the column. */
  on: string;
}

function EventLink({ occurrence, slot, on }: EventProps) {
  const { event, starts_at } = occurrence;
  const drag = useDrag(occurrence);
  const keys = useMoveKeys(occurrence, false);
  const { moving } = useMoveActions();
  const has_grip = slot !== undefined && event.role === 'owner' && occurrence.last_day === on;
  return (
    <Link
      to="/calendar/$eventId"
      params={{ eventId: event.id }}
      search={{ at: event.rrule === null ? undefined : starts_at }}
      className={slot === undefined ? 'cal-ev' : 'cal-slot'}
      data-colour={colourOf(event)}
      data-occurrence={keyOf(event.id, starts_at)}
      data-moving={moving?.occurrence === occurrence ? '' : undefined}
      style={slot && place(slot.from_min, slot.to_min, slot.lane, slot.lanes)}
      draggable={false}
      {...drag}
      {...keys}
    >
      <bdi>{event.title}</bdi>
      {slot === undefined ? null : <span>{describeTime(starts_at)}</span>}
      {has_grip ? <i className="cal-grip" /> : null}
    </Link>
  );
}

/** A preview of an event that is being moved. */
function Ghost({ on, is_timed }: { on: string; is_timed: boolean }) {
  const actions = useMoveActions();
  const to = movedOnto(actions, on)?.to;
  const element = useRef<HTMLSpanElement>(null);
  const by = actions.moving?.by;
  useEffect(() => {
    if (by === 'keys') element.current?.scrollIntoView({ block: 'nearest' });
  }, [by, to?.starts_at, to?.ends_at]);
  if (to === undefined || to.event.all_day === is_timed) return null;
  const slot = is_timed ? layOutDay([to], on)[0] : undefined;
  return (
    <span
      ref={element}
      aria-hidden="true"
      className={slot === undefined ? 'cal-ev cal-ghost' : 'cal-slot cal-ghost'}
      data-colour={colourOf(to.event)}
      style={slot && place(slot.from_min, slot.to_min)}
    >
      <bdi>{to.event.title}</bdi>
      {slot === undefined ? null : <span>{describeTime(to.starts_at)}</span>}
    </span>
  );
}

function Column({ on, occurrences, onNew }: { on: string } & Pick<WeekProps, 'occurrences' | 'onNew'>) {
  const { drawn, handlers } = useDrawEvent((from_min, length_min) => onNew(on, from_min, length_min));
  return (
    <div className="cal-column" data-day={on} data-today={on === today() ? '' : undefined} {...handlers}>
      {layOutDay(occurrences, on).map((slot) => (
        <EventLink
          key={keyOf(slot.occurrence.event.id, slot.occurrence.starts_at)}
          occurrence={slot.occurrence}
          slot={slot}
          on={on}
        />
      ))}
      <Ghost on={on} is_timed />
      {drawn === undefined ? null : <span className="cal-drawn" style={place(drawn.from_min, drawn.to_min)} />}
    </div>
  );
}

/**
 * Seven days, on a phone three, by the hour: dragging over or tapping free time creates an event, and dragging an event
 * moves it.
 */
export function WeekView({ day, is_wide, occurrences, onDay: choose, onNew }: WeekProps) {
  const days = is_wide ? daysOfWeek(day) : Array.from({ length: DAYS_OF_PHONE }, (_, index) => addDays(day, index));
  const hours = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Scrolled to seven o'clock at first.
    if (hours.current !== null) hours.current.scrollTop = hours.current.scrollHeight * (6.5 / 24);
  }, []);
  return (
    <section className="cal-week" aria-label={i18n.t('Week')} style={{ '--days': days.length } as CSSProperties}>
      <div className="cal-week-head">
        <span />
        {days.map((on) => (
          <div key={on} data-day={on}>
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
                <EventLink key={keyOf(occurrence.event.id, occurrence.starts_at)} occurrence={occurrence} on={on} />
              ))}
            <Ghost on={on} is_timed={false} />
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
