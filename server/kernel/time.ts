/** The service's one clock. Everything that asks for the time of day asks here, so that tests and the console can move it. */

export type Clock = {
  /** The present, in the service's time. */
  now(): Date;
  /** How far the service's time stands from the machine's, in milliseconds. */
  offset_ms(): number;
  /** Moves the service's time to a moment, and tells those who keep timers. */
  moveTo(moment: Date): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Returns to the machine's time. */
  reset(): Promise<void>;
  /** Calls back after each move with the milliseconds by which the service's time jumped. */
  onMove(listener: (jump_ms: number) => Promise<void> | void): void;
};

/** A clock that runs with the machine's and can be moved against it. */
export function createClock(): Clock {
  let offset_ms = 0;
  const listeners: ((jump_ms: number) => Promise<void> | void)[] = [];
  async function setOffset(next_ms: number): Promise<void> {
    const jump_ms = next_ms - offset_ms;
    offset_ms = next_ms;
    for (const listener of listeners) await listener(jump_ms);
  }
  return {
    now: () => new Date(Date.now() + offset_ms),
    offset_ms: () => offset_ms,
    moveTo: (moment) => setOffset(moment.getTime() - Date.now()),
    advance: (seconds) => setOffset(offset_ms + seconds * 1000),
    reset: () => setOffset(0),
    onMove: (listener) => {
      listeners.push(listener);
    },
  };
}

/** A moment `seconds` after another. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** The moment that somebody typed by RFC 3339; undefined for one that is none, or not of the years 1 to 9999 in UTC. */
export function readMoment(text: string): Date | undefined {
  const moment = new Date(text.toUpperCase());
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : undefined;
}

/** A moment as it stands on the wire: UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
export function wireTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/**
 * The same for a moment as the database writes it for UTC, in a row or in JSON: of most moments of a page nothing is asked
 * but their text.
 */
export function wireTimeOf(moment: Date | string): string {
  if (typeof moment !== 'string') return wireTime(moment);
  const is_usual = moment.length >= 22 && /^[0-9-]{10}[ T]/.test(moment) && /\+00(?::00)?$/.test(moment);
  return is_usual ? `${moment.slice(0, 10)}T${moment.slice(11, 19)}Z` : wireTime(new Date(moment));
}

/** The same for a moment that may be missing. */
export function wireTimeOrNull(moment: Date | null): string | null {
  return moment ? wireTime(moment) : null;
}
