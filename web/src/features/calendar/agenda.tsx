import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { nameOf } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { addDays, describeFullDay } from './days.ts';
import { describeElsewhere, describeLength, describeTime } from './event-text.ts';
import { colourOf, onDay } from './recurrence/occurrences.ts';
import type { Occurrence } from './recurrence/occurrences.ts';
import { keyOf } from './move/moving.ts';
import { useMoveKeys } from './move/use-move-keys.ts';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';

function secondLine({ event, ...span }: Occurrence): string {
  const people = event.share?.people.map(nameOf) ?? [];
  const words = [
    event.role === 'guest' ? i18n.t('From {name}', { name: nameOf(event.owner) }) : '',
    event.call.enabled ? i18n.t('With a call') : '',
    event.location ?? '',
    people.length > 2
      ? i18n.t('{names} and {count} more', { names: listNames(people.slice(0, 2), 'comma'), count: people.length - 2 })
      : listNames(people, 'comma'),
    describeElsewhere(event, span) ?? '',
  ];
  return words.filter((word) => word !== '').join(' · ');
}

function AgendaRow({ occurrence }: { occurrence: Occurrence }) {
  const { event, starts_at, length_min } = occurrence;
  const second = secondLine(occurrence);
  const keys = useMoveKeys(occurrence, true);
  return (
    <li>
      <Link
        to="/calendar/$eventId"
        params={{ eventId: event.id }}
        search={{ at: event.rrule === null ? undefined : starts_at }}
        className="row"
        data-occurrence={keyOf(event.id, starts_at)}
        {...keys}
      >
        <span className="cal-hr">
          {event.all_day ? i18n.t('All day') : describeTime(starts_at)}
          {event.all_day ? null : <small>{describeLength(length_min)}</small>}
        </span>
        <span className="cal-stripe" data-colour={colourOf(event)} />
        <span className="body">
          <b dir="auto">{event.title}</b>
          {second === '' ? null : (
            <span className="l2">
              <span className="cut" dir="auto">
                {second}
              </span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

interface AgendaProps {
  day: string;
  /** The number of days shown. */
  days: number;
  occurrences: readonly Occurrence[];
  is_pending: boolean;
  /** Whether the events could not be loaded: no day can be called free. */
  is_failed: boolean;
  onNew: () => void;
}

/** The events of the chosen day and the following ones, day by day. */
export function Agenda({ day, days, occurrences, is_pending, is_failed, onNew }: AgendaProps) {
  const listed = Array.from({ length: days }, (_, index) => addDays(day, index)).flatMap((on) => {
    const here = onDay(occurrences, on).filter(({ first_day }) => first_day === on || on === day);
    return here.length > 0 || on === day ? [{ on, here }] : [];
  });
  const is_empty = listed.every(({ here }) => here.length === 0);
  if (is_pending)
    return (
      <section className="cal-agenda" aria-label={i18n.t('Agenda')}>
        <Skeleton what={i18n.t('Loading your calendar')} rows={4} />
      </section>
    );
  if (is_failed && is_empty) return null;
  return (
    <section className="cal-agenda" aria-label={i18n.t('Agenda')}>
      {is_empty ? (
        <EmptyState
          title={i18n.t('Nothing planned here')}
          text={i18n.t('{day} and the days after it are free.', { day: describeFullDay(day) })}
        >
          <button type="button" className="button primary" onClick={onNew}>
            {i18n.t('New event')}
          </button>
        </EmptyState>
      ) : (
        listed.map(({ on, here }) => (
          <section key={on}>
            <h2 className="label">{describeFullDay(on)}</h2>
            <ul>
              {here.map((occurrence) => (
                <AgendaRow key={keyOf(occurrence.event.id, occurrence.starts_at)} occurrence={occurrence} />
              ))}
            </ul>
            {on === day ? (
              <button type="button" className="row cal-add" onClick={onNew}>
                <Plus aria-hidden="true" size={20} />
                {here.length === 0 ? i18n.t('Nothing yet. Add an event') : i18n.t('Add an event')}
              </button>
            ) : null}
          </section>
        ))
      )}
    </section>
  );
}
