/** Wall clocks as `Temporal` has them, for words about days, weeks and months. */

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
