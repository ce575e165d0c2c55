/**
 * The service's one clock. Everything that needs the time of day uses it, so that tests and the console can change it.
 */

/** The service's clock. */
export type Clock = {
  /** The current time of the service. */
  now(): Date;
  /** The offset of the service's time from the machine's, in milliseconds. */
  offset_ms(): number;
  /** Sets the service's time, and notifies timers. */
  moveTo(moment: Date): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Returns to the machine's time. */
  reset(): Promise<void>;
  /** Calls the listener after each change with the number of milliseconds by which the service's time jumped. */
  onMove(listener: (jump_ms: number) => Promise<void> | void): void;
};

/** A clock that runs with the machine's and can be offset against it. */
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

/** The time `seconds` after another. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** Parses a typed RFC 3339 timestamp; undefined when it is invalid, or outside the years 1 to 9999 in UTC. */
export function readMoment(text: string): Date | undefined {
  const moment = new Date(text.toUpperCase());
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : undefined;
}

/** A timestamp in wire format: UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
export function wireTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/**
 * The wire format of a timestamp of the database: a date, or text in UTC as in JSON. Such text is only cut, not parsed,
 * since a page has many of them.
 */
export function wireTimeOf(moment: Date | string): string {
  if (typeof moment !== 'string') return wireTime(moment);
  const is_usual = moment.length >= 22 && /^[0-9-]{10}[ T]/.test(moment) && /\+00(?::00)?$/.test(moment);
  return is_usual ? `${moment.slice(0, 10)}T${moment.slice(11, 19)}Z` : wireTime(new Date(moment));
}

/** The wire format of a timestamp that may be null. */
export function wireTimeOrNull(moment: Date | null): string | null {
  return moment ? wireTime(moment) : null;
}

/** Whole seconds since 1970. */
export const toSeconds = (moment_at: Date): number => Math.floor(moment_at.getTime() / 1000);
