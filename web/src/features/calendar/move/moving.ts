import { createContext, useContext } from 'react';
import type { Span } from '../calendar-queries.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';

/** How an occurrence is being moved; `saving` from its drop until the calendar shows it in its new place. */
export type MovedBy = 'pointer' | 'keys' | 'saving';

/** An occurrence that is being moved. */
export interface Moving {
  occurrence: Occurrence;
  /** The current target. */
  to: Occurrence;
  by: MovedBy;
}

/** The move operations of a page with events. */
export interface MoveActions {
  moving: Moving | undefined;
  /** Shows the current target. */
  show: (occurrence: Occurrence, to: Span, by: 'pointer' | 'keys') => void;
  /** Saves the move; for a series it asks for the scope. */
  drop: () => void;
  cancel: () => void;
}

const MoveContext = createContext<MoveActions | undefined>(undefined);
export const MoveProvider = MoveContext.Provider;

/** The move operations of this page. @throws Error outside of a calendar */
export function useMoveActions(): MoveActions {
  const actions = useContext(MoveContext);
  if (actions === undefined) throw new Error('No calendar to move events in');
  return actions;
}

/** A unique key of an occurrence, for lists and focus. */
export const keyOf = (event_id: string, starts_at: string): string => `${event_id} ${starts_at}`;

/** The move in progress, if its target includes a day. */
export function movedOnto({ moving }: Pick<MoveActions, 'moving'>, day: string): Moving | undefined {
  return moving && moving.to.first_day <= day && day <= moving.to.last_day ? moving : undefined;
}
