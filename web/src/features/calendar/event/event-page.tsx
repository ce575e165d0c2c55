import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AlignLeft, Bell, CalendarDays, Globe, MapPin, Pencil, Repeat, Share2, UserRound } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { nameOf } from '../../../ui/avatar.tsx';
import { Failure } from '../../../ui/empty-state.tsx';
import { BackLink } from '../../../ui/back-link.tsx';
import { MissingPage } from '../../../ui/problems/missing-page.tsx';
import { Page } from '../../../ui/page.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useDeleteEvent } from '../calendar-mutations.ts';
import { eventQuery, nextOccurrenceQuery } from '../calendar-queries.ts';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { EventCall } from './event-call.tsx';
import { fieldsOf } from './event-fields.ts';
import { EventForm } from './event-form.tsx';
import { describeElsewhere, describeReminder, describeSpan } from '../event-text.ts';
import { describeRule } from '../recurrence/recurrence-text.ts';
import { ShareSheet } from './share-sheet.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { RichMessage } from '../../../i18n/rich-message.tsx';
import { listNames } from '../../../i18n/list-names.ts';
import { spanAt } from './occurrence-span.ts';
import { DeleteButton } from './delete-event.tsx';
import '../calendar.css';

/** The occurrence in the address, else the next one, else the first. */
function useSpan(event: CalendarEvent | undefined, at: string | undefined): Span | undefined {
  const is_asked = event !== undefined && event.rrule !== null && at === undefined;
  const next = useQuery({ ...nextOccurrenceQuery(event?.id ?? ''), enabled: is_asked });
  if (event === undefined) return undefined;
  if (event.rrule !== null && at !== undefined && !Number.isNaN(Date.parse(at))) return spanAt(event, at);
  return (is_asked ? next.data : undefined) ?? { starts_at: event.starts_at, ends_at: event.ends_at };
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li>
      <Icon aria-hidden="true" size={20} />
      <div>{children}</div>
    </li>
  );
}

function Facts({ event, span }: { event: CalendarEvent; span: Span }) {
  const elsewhere = describeElsewhere(event, span);
  const people = event.share?.people ?? [];
  return (
    <ul className="cal-facts">
      <Fact icon={CalendarDays}>
        <p>{describeSpan(span, event.all_day)}</p>
        {elsewhere === undefined ? null : <p className="soft small">{elsewhere}</p>}
      </Fact>
      {event.rrule === null ? null : <Fact icon={Repeat}>{describeRule(event.rrule)}</Fact>}
      {event.role === 'guest' ? (
        <Fact icon={UserRound}>
          <RichMessage
            text={i18n.t('<name>{name}</name> shares it with you', { name: nameOf(event.owner) })}
            parts={{ name: (words) => <bdi>{words}</bdi> }}
          />
        </Fact>
      ) : null}
      {event.location === null ? null : (
        <Fact icon={MapPin}>
          <p dir="auto">{event.location}</p>
        </Fact>
      )}
      {event.description === null ? null : (
        <Fact icon={AlignLeft}>
          <p dir="auto" className="cal-notes">
            {event.description}
          </p>
        </Fact>
      )}
      {event.reminders.length === 0 ? null : (
        <Fact icon={Bell}>{event.reminders.map((one) => describeReminder(one.minutes_before)).join(', ')}</Fact>
      )}
      {people.length === 0 ? null : (
        <Fact icon={Share2}>
          <RichMessage
            text={i18n.t('Shared with <names>{names}</names>', { names: listNames(people.map(nameOf), 'comma') })}
            parts={{ names: (words) => <bdi>{words}</bdi> }}
          />
        </Fact>
      )}
      {event.share?.url ? <Fact icon={Globe}>{i18n.t('Anyone with the link can read it')}</Fact> : null}
    </ul>
  );
}

function EventView({ event, span }: { event: CalendarEvent; span: Span }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'share'>();
  const leave = () => void navigate({ to: '/calendar', search: { day: span.starts_at.slice(0, 10) } });
  const remove = useDeleteEvent(leave);
  const close = () => setOpen(undefined);
  return (
    <>
      {event.call.enabled ? <EventCall event={event} span={span} /> : null}
      <Facts event={event} span={span} />
      {event.role === 'owner' ? (
        <div className="cal-actions">
          <button type="button" className="button quiet" onClick={() => setOpen('edit')}>
            <Pencil aria-hidden="true" />
            {i18n.t('Edit')}
          </button>
          <button type="button" className="button quiet" onClick={() => setOpen('share')}>
            <Share2 aria-hidden="true" />
            {i18n.t('Share')}
          </button>
          <DeleteButton event={event} onDelete={(scope) => remove.mutate({ event, from: span, scope })} />
        </div>
      ) : null}
      {open === 'edit' ? (
        <EventForm
          start={fieldsOf(event, span)}
          edited={{ event, from: span }}
          onClose={close}
          onSaved={(saved) => {
            close();
            void navigate({ to: '/calendar/$eventId', params: { eventId: saved.id }, search: {}, replace: true });
          }}
        />
      ) : null}
      {open === 'share' ? <ShareSheet event={event} onClose={close} /> : null}
    </>
  );
}

/** The page of an event, at one of its occurrences. */
export function EventPage() {
  const { eventId } = useParams({ from: '/signed-in/reading/calendar/$eventId' });
  const { at } = useSearch({ from: '/signed-in/reading/calendar/$eventId' });
  const event = useQuery(eventQuery(eventId));
  const span = useSpan(event.data, at);
  const back = (
    <BackLink to="/calendar" search={span ? { day: span.starts_at.slice(0, 10) } : {}}>
      {i18n.t('Calendar')}
    </BackLink>
  );
  if (event.data === undefined && event.error !== null)
    return (
      <MissingPage
        back={back}
        error={event.error}
        onRetry={() => void event.refetch()}
        what={i18n.t('Event')}
        title={i18n.t('Event not found')}
        text={i18n.t('It was deleted, or is no longer shared with you.')}
      >
        <Link to="/calendar" className="button primary">
          {i18n.t('Open your calendar')}
        </Link>
      </MissingPage>
    );
  return (
    <Page title={event.data?.title ?? i18n.t('Event')} narrow back={back}>
      {event.isPending ? <Skeleton what={i18n.t('Loading the event')} rows={3} /> : null}
      {event.isError ? <Failure text={describeProblem(event.error)} onRetry={() => void event.refetch()} /> : null}
      {event.data && span ? <EventView event={event.data} span={span} /> : null}
    </Page>
  );
}
