import { useSyncExternalStore } from 'react';
import type { Source } from '../state/wanted-sources.ts';

/** The call that this window is connected to, on whichever page it stands. */
export interface CallSession {
  /** Another number for each time that a call is entered, also for the same call. */
  readonly number: number;
  readonly join_code: string;
  /** What is on when one comes in. */
  readonly wanted: readonly Source[];
}

/** Why a connection ended that the reader did not end. */
export interface ClosedSession {
  readonly join_code: string;
  readonly title: string;
  readonly text: string;
  /** What pressing the button does that brings the reader back. */
  readonly again: string;
  /** What was on, and is on again then. */
  readonly wanted: readonly Source[];
}

interface State {
  readonly session?: CallSession;
  readonly closed?: ClosedSession;
}

let state: State = {};
let entered_count = 0;
const listeners = new Set<() => void>();

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Connects this window to a call; whichever it was connected to is left by its media alone. */
export function enterCall(join_code: string, wanted: readonly Source[]): void {
  entered_count += 1;
  change({ session: { number: entered_count, join_code, wanted } });
}

/**
 * Ends the connection of this window.
 * @param closed what to say on the page of the call, where the reader did not end it themselves
 */
export function closeSession(closed?: ClosedSession): void {
  change(closed === undefined ? {} : { closed });
}

/** Forgets why the last connection was closed. */
export function forgetClosed(): void {
  if (state.session === undefined && state.closed !== undefined) change({});
}

/** The call of this window, now. */
export const readSession = (): CallSession | undefined => state.session;

/** The call of this window, and why the last one was closed. */
export function useCallSession(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => state,
  );
}
