import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { eventQuery, feedQuery, refetchCalendar } from './calendar-queries.ts';
import type { CalendarEvent, Span } from './calendar-queries.ts';
import { addDays, daysBetween } from './days.ts';
import { readParts } from './recurrence/recurrence-words.ts';
import { wallTimeAt } from './recurrence/zones.ts';
import { i18n } from '../../i18n/i18n.ts';

/** What is typed of an event. */
export type EventDraft = Input<'calendar', 'createEvent'>['body'];
/** Which of a series an edit or a deletion is for. */
export type Scope = 'this' | 'following' | 'all';

const shortest = (rule: string, ...dropped: string[]): string =>
  rule
    .split(';')
    .filter((part) => !dropped.includes(part.split('=')[0]?.toUpperCase() ?? ''))
    .join(';');

/** The rule of a series that ends before an occurrence. */
function ruleUntil(event: CalendarEvent, from: Span): string {
  const rule = shortest(event.rrule ?? '', 'UNTIL', 'COUNT');
  const day = event.all_day ? from.starts_at : wallTimeAt(Date.parse(from.starts_at), event.timezone).date;
  if (!/FREQ=(SECOND|MINUTE|HOUR)LY/i.test(rule)) return `${rule};UNTIL=${addDays(day, -1).replaceAll('-', '')}`;
  const last = new Date(Date.parse(from.starts_at) - 1000).toISOString();
  return `${rule};UNTIL=${last.replace(/[-:]|\.\d+/g, '')}`;
}

/** How many times a series takes place before an occurrence, the exceptions among them: they count for the rule as well. */
async function countBefore(event: CalendarEvent, from: Span): Promise<number> {
  const longest_days = 300;
  const seen = new Set(event.exdates.filter((at) => at < from.starts_at));
  const end_day = from.starts_at.slice(0, 10);
  for (let day = event.starts_at.slice(0, 10); day <= end_day; day = addDays(day, longest_days)) {
    const query = { from: `${addDays(day, -1)}T00:00:00Z`, to: `${addDays(day, longest_days)}T00:00:00Z`, limit: 100 };
    for await (const one of sdk.calendar.listEvents.iterate({ query })) {
      if (one.id !== event.id) continue;
      for (const { starts_at } of one.occurrences ?? []) if (starts_at < from.starts_at) seen.add(starts_at);
      break;
    }
  }
  return seen.size;
}

/** The rule of what follows, with as many times as are left of it. */
async function ruleFrom(event: CalendarEvent, from: Span, rule: string): Promise<string> {
  const [count, before] = [Number(readParts(rule).get('COUNT') ?? 0), readParts(event.rrule ?? '').get('COUNT')];
  if (count === 0 || String(count) !== before) return rule;
  return `${shortest(rule, 'COUNT')};COUNT=${Math.max(1, count - (await countBefore(event, from)))}`;
}

/** Everything that one may set of an event, as it is now. */
export function draftOf(event: CalendarEvent): EventDraft {
  const { title, description, location, starts_at, ends_at, all_day, timezone, rrule, exdates, reminders } = event;
  const call = { enabled: event.call.enabled };
  return { title, description, location, starts_at, ends_at, all_day, timezone, rrule, exdates, reminders, call };
}

/** Makes an event and shares it as another one is. */
async function createLike(event: CalendarEvent, draft: EventDraft): Promise<CalendarEvent> {
  const made = await sdk.calendar.createEvent({ body: draft });
  if (event.share === null || (event.share.people.length === 0 && event.share.url === null)) return made;
  const people = event.share.people.map(({ id }) => id);
  const shared = { people, public: event.share.url !== null };
  await sdk.calendar.shareEvent({ path: { event_id: made.id }, body: shared }).catch(() => {
    showToast(i18n.t('It is saved, but could not be shared with the same people. Share it once more.'));
  });
  return made;
}

/** Takes back what was made when the second half of a change was refused. */
async function orUndo(made: CalendarEvent, rest: () => Promise<unknown>): Promise<CalendarEvent> {
  try {
    await rest();
    return made;
  } catch (error) {
    await sdk.calendar.deleteEvent({ path: { event_id: made.id } }).catch(() => undefined);
    throw error;
  }
}

/** The first occurrence of a series moved as one of its occurrences was. */
function moveSeries(event: CalendarEvent, from: Span, draft: EventDraft): EventDraft {
  if (draft.starts_at === from.starts_at && draft.ends_at === from.ends_at)
    return { ...draft, starts_at: event.starts_at, ends_at: event.ends_at };
  if (event.all_day !== draft.all_day || from.starts_at === event.starts_at) return draft;
  if (event.all_day) {
    const move = (day: string, by: string, to: string) => addDays(day, daysBetween(by, to));
    const starts_at = move(event.starts_at, from.starts_at, draft.starts_at);
    return { ...draft, starts_at, ends_at: addDays(starts_at, daysBetween(draft.starts_at, draft.ends_at)) };
  }
  const zone = draft.timezone ?? event.timezone;
  const wall = (at: string) => Date.parse(`${Object.values(wallTimeAt(Date.parse(at), zone)).join('T')}:00Z`);
  const shift_ms = wall(draft.starts_at) - wall(from.starts_at);
  const length_ms = Date.parse(draft.ends_at) - Date.parse(draft.starts_at);
  const moved_ms = Date.parse(event.starts_at) + shift_ms;
  // The clock may have changed between the two; the wall clock is what is kept.
  const drift_ms = wall(event.starts_at) + shift_ms - wall(new Date(moved_ms).toISOString());
  const starts_ms = moved_ms + drift_ms;
  const [starts_at, ends_at] = [starts_ms, starts_ms + length_ms].map((at_ms) => new Date(at_ms).toISOString());
  return { ...draft, starts_at: starts_at ?? draft.starts_at, ends_at: ends_at ?? draft.ends_at };
}

interface Edit {
  event: CalendarEvent;
  /** The occurrence that the reader had open. */
  from: Span;
  draft: EventDraft;
  scope: Scope;
}

async function edit({ event, from, draft, scope }: Edit): Promise<CalendarEvent> {
  const path = { event_id: event.id };
  const first = from.starts_at === event.starts_at;
  if (event.rrule === null || scope === 'all' || (scope === 'following' && first))
    return sdk.calendar.editEvent({
      path,
      body: { ...moveSeries(event, from, draft), exdates: event.exdates, revision: event.revision },
    });
  if (scope === 'this') {
    const made = await createLike(event, { ...draft, rrule: null, exdates: [] });
    return orUndo(made, () => sdk.calendar.addEventExdate({ path, body: { starts_at: from.starts_at } }));
  }
  const rule = draft.rrule ? await ruleFrom(event, from, draft.rrule) : null;
  const exdates = event.exdates.filter((at) => at > from.starts_at && draft.starts_at === from.starts_at);
  const made = await createLike(event, { ...draft, rrule: rule, exdates });
  const ended = { rrule: ruleUntil(event, from), revision: event.revision };
  return orUndo(made, () => sdk.calendar.editEvent({ path, body: ended }));
}

/** Makes an event. */
export function useCreateEvent(onDone: (event: CalendarEvent) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: EventDraft) => sdk.calendar.createEvent({ body: draft }),
    onSuccess: (event) => {
      queries.setQueryData(eventQuery(event.id).queryKey, event);
      onDone(event);
    },
    onSettled: () => refetchCalendar(queries),
  });
}

/** Changes an event: this time, this and all after it, or every time. */
export function useEditEvent(onDone: (event: CalendarEvent) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: edit,
    onSuccess: (event) => {
      queries.setQueryData(eventQuery(event.id).queryKey, event);
      showToast(i18n.t('Saved.'));
      onDone(event);
    },
    onError: (error) => {
      if (hasCode(error, 'revision_conflict'))
        showToast(i18n.t('It was changed elsewhere meanwhile. Look at it and try again.'));
    },
    onSettled: () => refetchCalendar(queries),
  });
}

interface Removal {
  event: CalendarEvent;
  from: Span;
  scope: Scope;
}

async function remove({ event, from, scope }: Removal): Promise<() => Promise<unknown>> {
  const path = { event_id: event.id };
  if (event.rrule !== null && scope === 'this') {
    await sdk.calendar.addEventExdate({ path, body: { starts_at: from.starts_at } });
    return () => sdk.calendar.editEvent({ path, body: { exdates: event.exdates } });
  }
  if (event.rrule !== null && scope === 'following' && from.starts_at !== event.starts_at) {
    await sdk.calendar.editEvent({ path, body: { rrule: ruleUntil(event, from), revision: event.revision } });
    return () => sdk.calendar.editEvent({ path, body: { rrule: event.rrule, exdates: event.exdates } });
  }
  await sdk.calendar.deleteEvent({ path });
  return () => createLike(event, draftOf(event));
}

/** Deletes an event or part of a series, with a way back. */
export function useDeleteEvent(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: (undo, { event }) => {
      const takeBack = () =>
        void undo()
          .then(() => refetchCalendar(queries))
          .catch((error: unknown) => showToast(describeProblem(error)));
      showToast(i18n.t('“{title}” is deleted.', { title: event.title }), { undo: takeBack });
      onDone();
    },
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => refetchCalendar(queries),
  });
}

/** Shares an event with just these people, by a link or not. */
export function useShareEvent(event_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ people, is_public }: { people: string[]; is_public: boolean }) => {
      const path = { event_id };
      if (people.length === 0 && !is_public) await sdk.calendar.revokeEventShare({ path });
      else await sdk.calendar.shareEvent({ path, body: { people, public: is_public } });
    },
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => refetchCalendar(queries),
  });
}

/** Withdraws the feed's address, or makes a new one. */
export function useChangeFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (act: 'renew' | 'stop') => {
      if (act === 'renew') return sdk.calendar.regenerateCalendarFeed();
      await sdk.calendar.revokeCalendarFeed();
      return null;
    },
    onSuccess: (feed) => queries.setQueryData(feedQuery.queryKey, feed),
    onError: (error) => showToast(describeProblem(error)),
  });
}
