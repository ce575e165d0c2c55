import type { KeyboardEvent } from 'react';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { addDays } from '../days.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';
import { lengthOf, moveTo, resizeTo, STEP_MIN } from './move-occurrence.ts';
import type { MoveActions } from './moving.ts';
import { useMoveActions } from './moving.ts';

const DAYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
const WAYS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };
const DAY_MIN = 1440;

/** The target of Shift and an arrow key; with Control only the end moves. Undefined for other keys. */
function stepOf(event: KeyboardEvent, occurrence: Occurrence, actions: MoveActions, by_week: boolean) {
  const now = actions.moving?.occurrence === occurrence ? actions.moving.to : occurrence;
  const turn = pageDirection() === 'rtl' ? -1 : 1;
  const days = (DAYS[event.key] ?? 0) * turn;
  const way = WAYS[event.key] ?? 0;
  if (days === 0 && way === 0) return undefined;
  const { all_day } = occurrence.event;
  if (event.ctrlKey) {
    const step_min = all_day ? DAY_MIN : STEP_MIN;
    return resizeTo(now, lengthOf(now) + (way || days) * step_min);
  }
  if (by_week || all_day) return moveTo(now, addDays(now.first_day, days + way * 7));
  return moveTo(now, addDays(now.first_day, days), now.begins_min + way * STEP_MIN);
}

/**
 * Moves the focused event: Shift and an arrow key preview the move, with Control they change its end, Enter saves it,
 * and Escape or leaving it cancels.
 * @param by_week up and down move by a week, as in a month, instead of a quarter of an hour
 */
export function useMoveKeys(occurrence: Occurrence, by_week: boolean) {
  const actions = useMoveActions();
  if (occurrence.event.role !== 'owner') return {};
  const is_mine = actions.moving?.by === 'keys' && actions.moving.occurrence === occurrence;
  const onKeyDown = (event: KeyboardEvent) => {
    if (actions.moving?.by === 'saving') return;
    if (is_mine && event.key === 'Enter') actions.drop();
    else if (is_mine && event.key === 'Escape') actions.cancel();
    else {
      const to = event.shiftKey ? stepOf(event, occurrence, actions, by_week) : undefined;
      if (to === undefined) return;
      actions.show(occurrence, to, 'keys');
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    onKeyDown,
    onBlur: () => (is_mine ? actions.cancel() : undefined),
    'aria-keyshortcuts': 'Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown',
  };
}
