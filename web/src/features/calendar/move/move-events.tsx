import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { refetchCalendar } from '../calendar-queries.ts';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { describeShortSpan } from '../event-text.ts';
import { editSeries } from '../recurrence/edit-series.ts';
import type { Scope } from '../recurrence/series.ts';
import { placeOccurrence } from '../recurrence/occurrences.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';
import { draftAfter, scopesOf } from './move-occurrence.ts';
import { keyOf, MoveProvider } from './moving.ts';
import type { Moving } from './moving.ts';
import { ScopeQuestion } from './scope-question.tsx';
import { i18n } from '../../../i18n/i18n.ts';

const isSameSpan = (a: Span, b: Span): boolean => a.starts_at === b.starts_at && a.ends_at === b.ends_at;

/** Saves a move; the toast offers to undo it. */
function useSaveMove(onDone: (event: CalendarEvent, to: Occurrence) => void, onFailed: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ occurrence, to, scope }: { occurrence: Occurrence; to: Occurrence; scope: Scope }) => {
      const draft = draftAfter(occurrence, to);
      const edit = { event: occurrence.event, from: occurrence, scope };
      return editSeries({ ...edit, draft: { ...draft, rrule: scope === 'this' ? null : (draft.rrule ?? null) } });
    },
    onSuccess: async ({ event, undo }, { to }) => {
      const when = describeShortSpan(to, to.event.all_day);
      const takeBack = () =>
        void undo()
          .then(() => refetchCalendar(queries))
          .catch((error: unknown) => showToast(describeProblem(error)));
      showToast(i18n.t('Moved “{title}” to {when}.', { title: event.title, when }), { undo: takeBack });
      await refetchCalendar(queries);
      onDone(event, to);
    },
    onError: async (error) => {
      const was_changed = hasCode(error, 'revision_conflict');
      showToast(
        was_changed
          ? i18n.t('It was changed elsewhere in the meantime. Check it and try again.')
          : describeProblem(error),
      );
      onFailed();
      await refetchCalendar(queries);
    },
  });
}

/** Shows the current target of a move, and announces it for keyboard users. */
function MoveStatus({ moving }: { moving: Moving | undefined }) {
  const is_shown = moving !== undefined && moving.by !== 'saving';
  return (
    <div className="cal-status" role="status" data-shown={is_shown ? '' : undefined}>
      {is_shown ? <b>{describeShortSpan(moving.to, moving.to.event.all_day)}</b> : null}
      {is_shown && moving.by === 'keys' ? <span>{i18n.t('Enter saves, Escape cancels')}</span> : null}
    </div>
  );
}

/** Lets its children move events by dragging and by keys; for a series it asks for the scope. */
export function MoveEvents({ children }: { children: ReactNode }) {
  const [moving, setShown] = useState<Moving>();
  // A ref, since a pointer may be released before its last move was rendered.
  const latest = useRef<Moving>(undefined);
  const setMoving = (move: Moving | undefined) => {
    latest.current = move;
    setShown(move);
  };
  const [asked, setAsked] = useState<Moving>();
  const [focus_on, setFocusOn] = useState<string>();
  const was_focused = useRef<HTMLElement | null>(null);
  const by_keys = useRef(false);
  const end = () => {
    setMoving(undefined);
    setAsked(undefined);
    setFocusOn(undefined);
  };
  const save = useSaveMove((event, to) => {
    end();
    if (by_keys.current) setFocusOn(keyOf(event.id, to.starts_at));
  }, end);
  // The new position is rendered some time after it was fetched: checked after each render.
  useEffect(() => {
    if (focus_on === undefined) return;
    const shown = document.querySelectorAll<HTMLElement>(`[data-occurrence="${CSS.escape(focus_on)}"]`);
    const link = [...shown].find(({ tabIndex }) => tabIndex === 0);
    if (link === undefined) return;
    link.focus();
    setFocusOn(undefined);
  });
  const send = (move: Moving, scope: Scope) => {
    setAsked(undefined);
    setMoving({ ...move, by: 'saving' });
    save.mutate({ occurrence: move.occurrence, to: move.to, scope });
  };
  const actions = {
    moving,
    show: (occurrence: Occurrence, to: Span, by: 'pointer' | 'keys') =>
      setMoving({ occurrence, to: placeOccurrence(occurrence.event, to), by }),
    drop: () => {
      const move = latest.current;
      if (move === undefined || isSameSpan(move.occurrence, move.to)) return end();
      was_focused.current = document.activeElement as HTMLElement | null;
      by_keys.current = move.by === 'keys';
      if (move.occurrence.event.rrule === null) return send(move, 'all');
      setMoving({ ...move, by: 'saving' });
      setAsked(move);
    },
    cancel: end,
  };
  return (
    <MoveProvider value={actions}>
      {children}
      <MoveStatus moving={moving} />
      {asked === undefined ? null : (
        <ScopeQuestion
          scopes={scopesOf(asked.occurrence, asked.to)}
          returnTo={was_focused}
          onAnswer={(scope) => send(asked, scope)}
          onClose={end}
        />
      )}
    </MoveProvider>
  );
}
