/** Edits a series of events at one of its occurrences: this one, this and following, or all. */
import { sdk } from '../../../asterism.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { addDays } from '../days.ts';
import { readParts } from './recurrence-text.ts';
import { draftOf, moveLike, moveSeries, ruleUntil, without } from './series.ts';
import type { Edit, EventDraft } from './series.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The number of occurrences before one of them, exceptions included, since the rule counts them as well. */
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

/** The rule of the following part, with the remaining count. */
async function ruleFrom(event: CalendarEvent, from: Span, rule: string): Promise<string> {
  const [count, before] = [Number(readParts(rule).get('COUNT') ?? 0), readParts(event.rrule ?? '').get('COUNT')];
  if (count === 0 || String(count) !== before) return rule;
  return `${without(rule, 'COUNT')};COUNT=${Math.max(1, count - (await countBefore(event, from)))}`;
}

/** Creates an event and shares it like another one. */
export async function createLike(event: CalendarEvent, draft: EventDraft): Promise<CalendarEvent> {
  const made = await sdk.calendar.createEvent({ body: draft });
  if (event.share === null || (event.share.people.length === 0 && event.share.url === null)) return made;
  const people = event.share.people.map(({ id }) => id);
  const shared = { people, public: event.share.url !== null };
  await sdk.calendar.shareEvent({ path: { event_id: made.id }, body: shared }).catch(() => {
    showToast(i18n.t('It is saved, but couldn’t be shared with the same people. Share it once more.'));
  });
  return made;
}

/** Deletes the created event when the second half of a change fails. */
async function orUndo(made: CalendarEvent, rest: () => Promise<unknown>): Promise<CalendarEvent> {
  try {
    await rest();
    return made;
  } catch (error) {
    await sdk.calendar.deleteEvent({ path: { event_id: made.id } }).catch(() => undefined);
    throw error;
  }
}

/** A changed event, and a function that undoes the change. */
export interface Changed {
  event: CalendarEvent;
  undo: () => Promise<unknown>;
}

/**
 * Edits an event or a part of a series; either both halves of a split are saved, or none.
 * @throws ApiError `revision_conflict` when it was changed elsewhere meanwhile
 */
export async function editSeries(edit: Edit): Promise<Changed> {
  const { event, from, draft, scope } = edit;
  const path = { event_id: event.id };
  const first = from.starts_at === event.starts_at;
  if (event.rrule === null || scope === 'all' || (scope === 'following' && first)) {
    const body = { ...moveSeries(edit), revision: event.revision };
    const saved = await sdk.calendar.editEvent({ path, body });
    const undo = () => sdk.calendar.editEvent({ path, body: { ...draftOf(event), revision: saved.revision } });
    return { event: saved, undo };
  }
  if (scope === 'this') {
    const made = await createLike(event, { ...draft, rrule: null, exdates: [] });
    await orUndo(made, () => sdk.calendar.addEventExdate({ path, body: { starts_at: from.starts_at } }));
    return { event: made, undo: () => rejoin(event, made, { exdates: event.exdates }) };
  }
  const rule = draft.rrule ? await ruleFrom(event, from, draft.rrule) : null;
  const zone = draft.timezone ?? event.timezone;
  const later = event.all_day === draft.all_day ? event.exdates.filter((at) => at > from.starts_at) : [];
  const exdates = later.map((at) => moveLike(at, from.starts_at, draft.starts_at, zone));
  const made = await createLike(event, { ...draft, rrule: rule, exdates });
  const ended = { rrule: ruleUntil(event, from), revision: event.revision };
  await orUndo(made, () => sdk.calendar.editEvent({ path, body: ended }));
  return { event: made, undo: () => rejoin(event, made, { rrule: event.rrule, exdates: event.exdates }) };
}

/** Restores a series after a part of it was split off. */
async function rejoin(event: CalendarEvent, made: CalendarEvent, body: Partial<EventDraft>): Promise<void> {
  await sdk.calendar.editEvent({ path: { event_id: event.id }, body });
  await sdk.calendar.deleteEvent({ path: { event_id: made.id } });
}
