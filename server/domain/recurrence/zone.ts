/** Time zones: whether a name is one, and the moment that a wall clock in it means. */

/** Whether a text is the name of a time zone of the IANA database, or UTC. Offsets such as `+02:00` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  try {
    // Throws a RangeError for a name that is not known.
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** What the wall clock of a zone says at a moment. */
export function wallClock(moment: Date, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/**
 * The moment at which the wall clock of a zone says a time: the first of two, and for a time that is skipped the one by
 * the offset before the gap (RFC 5545, section 3.3.5).
 */
export function momentAt(local: Temporal.PlainDateTime, timezone: string): Date {
  return new Date(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds);
}
