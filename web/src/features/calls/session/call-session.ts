import { useSyncExternalStore } from 'react';
import { forgetSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';

/** The call that this window is connected to, independent of the current page. */
export interface CallSession {
  /** A new number each time that a call is joined, also for the same call. */
  readonly number: number;
  readonly join_code: string;
  /** The sources that are on when joining. */
  readonly wanted: readonly Source[];
  /** Whether the reader has just chosen them: else those of a client that this one replaces are continued. */
  readonly is_chosen: boolean;
}

/** Why a connection ended, if not by the reader. */
export interface ClosedSession {
  readonly join_code: string;
  readonly title: string;
  readonly text: string;
  /** The label of the button that rejoins. */
  readonly again: string;
  /** The sources that were on, and will be on again. */
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

/**
 * Connects this window to a call; from another one only the media are disconnected.
 * @param is_chosen whether the reader has just chosen the sources
 */
export function enterCall(join_code: string, wanted: readonly Source[], is_chosen = false): void {
  entered_count += 1;
  change({ session: { number: entered_count, join_code, wanted, is_chosen } });
}

/** Disconnects this window. @param closed the reason to show on the call's page, if it was not the reader */
export function closeSession(closed?: ClosedSession): void {
  forgetSources();
  change(closed === undefined ? {} : { closed });
}

/** Clears the reason of the last disconnection. */
export function forgetClosed(): void {
  if (state.session === undefined && state.closed !== undefined) change({});
}

/** The current call of this window. */
export const readSession = (): CallSession | undefined => state.session;

/** The current call of this window, and why the last one ended. */
export function useCallSession(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => state,
  );
}
