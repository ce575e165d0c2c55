import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { eventQuery, feedQuery, refetchCalendar } from './calendar-queries.ts';
import type { CalendarEvent, Span } from './calendar-queries.ts';
import { createLike, editSeries } from './recurrence/edit-series.ts';
import { draftOf, ruleUntil } from './recurrence/series.ts';
import type { EventDraft, Scope } from './recurrence/series.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Creates an event. */
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

/** Edits an event: this occurrence, this and all following, or the whole series. */
export function useEditEvent(onDone: (event: CalendarEvent) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: editSeries,
    onSuccess: ({ event }) => {
      queries.setQueryData(eventQuery(event.id).queryKey, event);
      showToast(i18n.t('Saved.'));
      onDone(event);
    },
    onError: (error) => {
      if (hasCode(error, 'revision_conflict'))
        showToast(i18n.t('It was changed elsewhere in the meantime. Check it and try again.'));
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

/** Deletes an event or a part of a series; the toast offers to undo it. */
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

/** Replaces the people with whom an event is shared, and its public link. */
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

/** Revokes the feed's address, or creates a new one. */
export function useChangeFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (action: 'renew' | 'stop') => {
      if (action === 'renew') return sdk.calendar.regenerateCalendarFeed();
      await sdk.calendar.revokeCalendarFeed();
      return null;
    },
    onSuccess: (feed) => queries.setQueryData(feedQuery.queryKey, feed),
    onError: (error) => showToast(describeProblem(error)),
  });
}
