/** The timing by which a half-open connection is detected: one that is dead at the other end but was never closed. */
export interface HeartbeatOptions {
  /** After this long without a frame, the other end is pinged, in milliseconds. */
  every_ms: number;
  /** The timeout of its answer, in milliseconds. */
  answer_ms: number;
  ask: () => void;
  onDead: () => void;
}

/** Pings a silent connection in the application protocol, since browsers do not expose the pings of RFC 6455. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Notes that a frame was received, and restarts the timer. */
  beat(): void {
    clearTimeout(this.#timer);
    const { every_ms, answer_ms, ask, onDead } = this.#options;
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(onDead, answer_ms);
      ask();
    }, every_ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
