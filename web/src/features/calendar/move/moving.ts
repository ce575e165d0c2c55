import { createContext, useContext } from 'react';
import type { Span } from '../calendar-queries.ts';
import type { Occurrence } from '../recurrence/occurrences.ts';

/** How an occurrence is being moved; `saving` from when it was dropped until the calendar shows it there. */
export type MovedBy = 'pointer' | 'keys' | 'saving';

/** An occurrence on its way. */
export interface Moving {
  occurrence: Occurrence;
  /** Where it would be. */
  to: Occurrence;
  by: MovedBy;
}

/** What a page that shows events offers for moving them. */
export interface MoveActions {
  moving: Moving | undefined;
  /** Shows where an occurrence would be. */
  show: (occurrence: Occurrence, to: Span, by: 'pointer' | 'keys') => void;
  /** Saves it there; of a series it asks which. */
  drop: () => void;
  cancel: () => void;
}

const MoveContext = createContext<MoveActions | undefined>(undefined);
export const MoveProvider = MoveContext.Provider;

/** What moves events on this page. @throws Error outside of a calendar */
export function useMoveActions(): MoveActions {
  const actions = useContext(MoveContext);
  if (actions === undefined) throw new Error('No calendar to move events in');
  return actions;
}

/** One name for an occurrence, for lists and for the focus. */
export const keyOf = (event_id: string, starts_at: string): string => `${event_id} ${starts_at}`;

/** Where an occurrence would be, when that touches a day. */
export function movedOnto({ moving }: Pick<MoveActions, 'moving'>, day: string): Moving | undefined {
  return moving && moving.to.first_day <= day && day <= moving.to.last_day ? moving : undefined;
}
