/** What is switched on or off, for the pages that do it; `pending-states.ts` is loaded when the first thing is switched. */
import { createContext, useContext } from 'react';

/** A state that the service does not have yet. */
export interface PendingState {
  readonly kind: 'like' | 'follow';
  /** What is switched: a status or a tag. */
  readonly id: string;
  readonly on: boolean;
  /** Further values that its kind needs. */
  readonly about?: unknown;
}

/** Sends a state, instead of an earlier one of the same thing. */
export type SetPending = (state: PendingState) => void;

export const PendingContext = createContext<SetPending>(() => undefined);

/** Sends likes and follows, of which only the last state matters. */
export const useSetPending = (): SetPending => useContext(PendingContext);
