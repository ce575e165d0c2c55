import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { describeDay, today, weeksOfMonth } from './days.ts';
import { colourOf, onDay } from './recurrence/occurrences.ts';
import type { Occurrence } from './recurrence/occurrences.ts';
import { keyOf, movedOnto, useMoveActions } from './move/moving.ts';
import { useDrag } from './move/use-drag.ts';
import { localZone } from './zones.ts';
import { narrowClockTime } from '../../i18n/clock-time.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The number of events that fit in a cell. */
const MAX_SHOWN = 3;

interface MonthProps {
  day: string;
  occurrences: readonly Occurrence[];
  onDay: (day: string) => void;
  onNew: (day: string) => void;
}

/** The link to an occurrence, coloured, with its time before the title. */
function EventChip({ occurrence }: { occurrence: Occurrence }) {
  const { event, starts_at } = occurrence;
  const drag = useDrag(occurrence);
  const { moving } = useMoveActions();
  return (
    <Link
      to="/calendar/$eventId"
      params={{ eventId: event.id }}
      search={{ at: event.rrule === null ? undefined : starts_at }}
      className="cal-ev"
      data-colour={colourOf(event)}
      // Not focusable: the agenda beside it has the same links for the keyboard.
      tabIndex={-1}
      data-moving={moving?.occurrence === occurrence ? '' : undefined}
      draggable={false}
      {...drag}
    >
      {event.all_day ? null : <span>{narrowClockTime(starts_at, localZone())} </span>}
      <bdi>{event.title}</bdi>
    </Link>
  );
}

/** A preview of an event that is being moved. */
function Ghost({ on }: { on: string }) {
  const to = movedOnto(useMoveActions(), on)?.to;
  if (to === undefined) return null;
  return (
    <span className="cal-ev cal-ghost" aria-hidden="true" data-colour={colourOf(to.event)}>
      {to.event.all_day ? null : <span>{narrowClockTime(to.starts_at, localZone())} </span>}
      <bdi>{to.event.title}</bdi>
    </span>
  );
}

interface CellProps extends MonthProps {
  /** The day of this cell; `day` is the selected one. */
  on: string;
}

function Cell({ on, day, occurrences, onDay: choose, onNew }: CellProps) {
  const here = onDay(occurrences, on);
  const button = useRef<HTMLButtonElement>(null);
  const is_chosen = on === day;
  useEffect(() => {
    // Arrow keys change the selected day, and focus follows if a day was focused.
    if (is_chosen && document.activeElement?.classList.contains('cal-day') === true) button.current?.focus();
  }, [is_chosen]);
  const count = i18n.t('{count, plural, =0 {no events} one {# event} other {# events}}', { count: here.length });
  return (
    <td data-day={on} data-out={on.slice(0, 7) === day.slice(0, 7) ? undefined : ''}>
      <button
        ref={button}
        type="button"
        className="cal-day"
        tabIndex={is_chosen ? 0 : -1}
        aria-pressed={is_chosen}
        aria-current={on === today() ? 'date' : undefined}
        aria-label={`${describeDay(on, { weekday: 'long', day: 'numeric', month: 'long' })}, ${count}`}
        onClick={() => (is_chosen ? onNew(on) : choose(on))}
      >
        <span className="cal-n">{Number(on.slice(8))}</span>
        <span className="cal-dots">
          {here.slice(0, MAX_SHOWN).map(({ event, starts_at }) => (
            <i key={`${event.id} ${starts_at}`} data-colour={colourOf(event)} />
          ))}
        </span>
      </button>
      <div className="cal-evs">
        <Ghost on={on} />
        {here.slice(0, MAX_SHOWN).map((occurrence) => (
          <EventChip key={keyOf(occurrence.event.id, occurrence.starts_at)} occurrence={occurrence} />
        ))}
        {here.length > MAX_SHOWN ? (
          <span className="cal-rest">{i18n.t('{count} more', { count: here.length - MAX_SHOWN })}</span>
        ) : null}
      </div>
    </td>
  );
}

/** A month: tapping a day selects it, tapping it again creates an event, and dragging moves an event to another day. */
export function MonthView(props: MonthProps) {
  const weeks = weeksOfMonth(props.day);
  return (
    <table className="cal-month" aria-label={describeDay(props.day, { month: 'long', year: 'numeric' })}>
      <thead>
        <tr>
          {weeks[0]?.map((on) => (
            <th key={on} scope="col">
              <abbr title={describeDay(on, { weekday: 'long' })}>{describeDay(on, { weekday: 'short' })}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((on) => (
              <Cell key={on} on={on} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
