/** How a connection is kept from being half open: dead at the other end without having been closed. */
export interface HeartbeatOptions {
  /** How long nothing may be heard before the other end is asked, in milliseconds. */
  every_ms: number;
  /** How long it may take to answer, in milliseconds. */
  answer_ms: number;
  ask: () => void;
  onDead: () => void;
}

/** Asks a silent connection whether it lives, since browsers tell nothing of the pings of RFC 6455. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Notes that something was heard: the wait begins anew. */
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
