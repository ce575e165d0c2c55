/** What is switched on or off, such as a like: shown at once, and sent as soon as there is a connection, the last state only. */
import { isTransient } from './cache.ts';
import type { PendingState } from './pending-context.ts';

/** How states of a kind are shown and sent. */
export interface PendingWork {
  readonly show: (state: PendingState) => void;
  /** Sends a state. @returns what shows the answer, unless there is a newer state by then */
  readonly send: (state: PendingState) => Promise<() => unknown>;
  /** Shows again what was shown before the state, and why. */
  readonly revert: (state: PendingState, error: unknown) => void;
}

interface PendingStore {
  readonly read: () => unknown;
  readonly write: (all: readonly PendingState[] | undefined) => void;
}

const FIRST_PAUSE_MS = 4_000;
const MAX_PAUSE_MS = 60_000;

const areSame = (one: PendingState, other: PendingState) => one.kind === other.kind && one.id === other.id;

/** The pending states of one account in this window. */
export class PendingStates {
  #all: readonly PendingState[];
  readonly #store: PendingStore;
  readonly #workOf: (kind: PendingState['kind']) => Promise<PendingWork>;
  readonly #busy = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #is_closed = false;

  constructor(store: PendingStore, workOf: (kind: PendingState['kind']) => Promise<PendingWork>) {
    this.#store = store;
    this.#workOf = workOf;
    const stored = store.read();
    this.#all = Array.isArray(stored) ? (stored as PendingState[]) : [];
    for (const one of this.#all) void this.#workOf(one.kind).then(({ show }) => show(one));
  }

  /** Sends a state in place of an earlier pending one of the same thing, and keeps what was shown before both, for a refusal. */
  set(state: PendingState): void {
    const earlier = this.#all.find((one) => areSame(one, state));
    const one = earlier === undefined || this.#busy.has(nameOf(state)) ? state : { ...state, about: earlier.about };
    this.#write([...this.#all.filter((other) => !areSame(other, state)), one]);
    void this.#send(one);
  }

  /** Sends everything: the connection is back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const one of this.#all) void this.#send(one);
  }

  /** Stops sending: its owner has signed out. */
  close(): void {
    this.#is_closed = true;
    clearTimeout(this.#timer);
  }

  #write(all: readonly PendingState[]): void {
    this.#all = all;
    this.#store.write(all.length === 0 ? undefined : all);
  }

  /** The state that is to be sent of a thing. */
  #latest(state: PendingState): PendingState | undefined {
    return this.#is_closed ? undefined : this.#all.find((one) => areSame(one, state));
  }

  async #send(state: PendingState): Promise<void> {
    const name = nameOf(state);
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    for (let one = this.#latest(state); one !== undefined; one = this.#latest(state))
      if (!(await this.#try(one))) break;
    this.#busy.delete(name);
  }

  /** Whether a newer state may follow. */
  async #try(state: PendingState): Promise<boolean> {
    const isLatest = () => this.#latest(state) === state;
    try {
      const work = await this.#workOf(state.kind);
      const shown = await work.send(state).catch((error: unknown) => {
        if (isTransient(error)) throw error;
        return () => work.revert(state, error);
      });
      this.#pause_ms = FIRST_PAUSE_MS;
      if (!isLatest()) return true;
      this.#write(this.#all.filter((one) => one !== state));
      shown();
      return true;
    } catch {
      if (!this.#is_closed) this.#later();
      return false;
    }
  }

  #later(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush(), this.#pause_ms);
    this.#pause_ms = Math.min(this.#pause_ms * 2, MAX_PAUSE_MS);
  }
}

function nameOf({ kind, id }: PendingState): string {
  return `${kind} ${id}`;
}
