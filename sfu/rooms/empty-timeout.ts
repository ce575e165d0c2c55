/** How long a room exists without anybody in it. */
export type EmptyTimeouts = {
  /** Before anybody has joined, in seconds. */
  empty_timeout_s: number;
  /** After the last participant has left, in seconds. */
  departure_timeout_s: number;
};

/** Notices when a room has been empty for too long. */
export class EmptyTimeout {
  readonly #timeouts: EmptyTimeouts;
  #empty_since_ms: number | undefined = performance.now();
  #was_used = false;

  constructor(timeouts: EmptyTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Somebody has joined who keeps the room alive. */
  noteJoin(): void {
    this.#empty_since_ms = undefined;
    this.#was_used = true;
  }

  /** Nobody is left who keeps the room alive. */
  noteEmpty(): void {
    this.#empty_since_ms ??= performance.now();
  }

  /** Whether the room is to end. */
  isOver(now_ms: number): boolean {
    const timeout_s = this.#was_used ? this.#timeouts.departure_timeout_s : this.#timeouts.empty_timeout_s;
    return this.#empty_since_ms !== undefined && now_ms - this.#empty_since_ms > timeout_s * 1000;
  }
}
