import type { PointerEvent } from 'react';
import { addDays, daysBetween } from '../days.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';
import { moveTo, resizeTo, STEP_MIN } from './move-occurrence.ts';
import type { MoveActions } from './moving.ts';
import { useMoveActions } from './moving.ts';

const DAY_MIN = 1440;
/** A press that moves less is a click. */
const STILL_PX = 4;
/** How long a finger must rest on an event to pick it up; a movement before that scrolls. */
const LIFT_MS = 350;
/** The distance from the edge at which the hours scroll. */
const EDGE_PX = 36;
const SCROLL_PX = 14;

/** The day under the pointer, in any view. */
function dayAt(x: number, y: number): string | undefined {
  const cell = document.elementsFromPoint(x, y).find((element) => element.closest('[data-day]'));
  return cell?.closest<HTMLElement>('[data-day]')?.dataset['day'];
}

/** The minute of a day under the pointer, in a view with hours. */
function minuteAt(day: string, y: number): number | undefined {
  const box = document.querySelector(`.cal-column[data-day="${day}"]`)?.getBoundingClientRect();
  return box === undefined ? undefined : ((y - box.top) / box.height) * DAY_MIN;
}

/** Scrolls the hours when the pointer approaches an edge, unless the drag started there. */
function scrollHours(y: number, from_y: number): void {
  const hours = document.querySelector('.cal-hours');
  const box = hours?.getBoundingClientRect();
  if (!hours || !box) return;
  if (y < box.top + EDGE_PX && y < from_y - STILL_PX) hours.scrollTop -= SCROLL_PX;
  else if (y > box.bottom - EDGE_PX && y > from_y + STILL_PX) hours.scrollTop += SCROLL_PX;
}

const toStep = (minute: number): number => Math.round(minute / STEP_MIN) * STEP_MIN;

/** Suppresses the click after a drag, which would open the event. */
function suppressClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}

interface Drag {
  occurrence: Occurrence;
  actions: MoveActions;
  /** Whether its end is dragged, and not the whole event. */
  is_resize: boolean;
  /** The grabbed point: the minute of the day, and the number of days after the first. */
  held_at_min: number | undefined;
  held_days: number;
}

function follow({ occurrence, actions, is_resize, held_at_min, held_days }: Drag, x: number, y: number): void {
  const day = dayAt(x, y);
  if (day === undefined) return;
  const away = daysBetween(occurrence.first_day, day);
  const minute = occurrence.event.all_day ? undefined : minuteAt(day, y);
  if (is_resize) {
    const length_min =
      minute === undefined ? (away + 1) * DAY_MIN : away * DAY_MIN + toStep(minute) - occurrence.begins_min;
    actions.show(occurrence, resizeTo(occurrence, length_min), 'pointer');
    return;
  }
  const shift_min = minute === undefined || held_at_min === undefined ? 0 : toStep(minute - held_at_min);
  const to = moveTo(occurrence, addDays(day, -held_days), occurrence.begins_min + shift_min);
  actions.show(occurrence, to, 'pointer');
}

/** Tracks one press until it ends: a mouse drags at once, a finger after resting. */
function startDrag(down: PointerEvent<HTMLElement>, drag: Drag): void {
  const { pointerId, pointerType, clientX, clientY, currentTarget } = down;
  const is_touch = pointerType === 'touch';
  let is_lifted = false;
  const lift = () => {
    is_lifted = true;
    navigator.vibrate?.(10);
    follow(drag, clientX, clientY);
  };
  const timer = is_touch ? setTimeout(lift, LIFT_MS) : undefined;
  const ended = new AbortController();
  const { signal } = ended;
  const finish = (is_dropped: boolean) => {
    clearTimeout(timer);
    ended.abort();
    if (!is_lifted) return;
    suppressClick();
    if (is_dropped) drag.actions.drop();
    else drag.actions.cancel();
  };
  const onMove = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const is_still = Math.hypot(event.clientX - clientX, event.clientY - clientY) < STILL_PX * (is_touch ? 2 : 1);
    if (!is_lifted && is_still) return;
    if (!is_lifted && is_touch) return finish(false);
    is_lifted = true;
    scrollHours(event.clientY, clientY);
    follow(drag, event.clientX, event.clientY);
  };
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', (event) => event.pointerId === pointerId && finish(true), { signal });
  window.addEventListener('pointercancel', (event) => event.pointerId === pointerId && finish(false), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && finish(false), { signal });
  // A finger that has picked up an event must neither scroll nor open the link's context menu.
  const hold = (event: Event) => (is_lifted ? event.preventDefault() : undefined);
  currentTarget.addEventListener('touchmove', hold, { signal, passive: false });
  currentTarget.addEventListener('contextmenu', (event) => (is_touch ? event.preventDefault() : undefined), { signal });
}

/** Event handlers that make an element of an occurrence draggable; none if the event is not the reader's own. */
export function useDrag(occurrence: Occurrence) {
  const actions = useMoveActions();
  if (occurrence.event.role !== 'owner') return {};
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const { target } = event;
    if (event.button !== 0 || actions.moving?.by === 'saving' || !(target instanceof Element)) return;
    const day = dayAt(event.clientX, event.clientY) ?? occurrence.first_day;
    startDrag(event, {
      occurrence,
      actions,
      is_resize: target.closest('.cal-grip') !== null,
      held_at_min: minuteAt(day, event.clientY),
      held_days: daysBetween(occurrence.first_day, day),
    });
  };
  return { onPointerDown };
}
