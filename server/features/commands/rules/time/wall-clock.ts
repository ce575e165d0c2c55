/** Wall-clock times as `Temporal` values, for words about days, weeks and months. */

/** The wall-clock time of a zone at an instant. */
export function wallClock(moment: Date, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/**
 * The instant of a wall-clock time: the first of a repeated one, and for a skipped one that by the offset before the
 * gap (RFC 5545, section 3.3.5).
 */
export function momentAt(local: Temporal.PlainDateTime, timezone: string): Date {
  return new Date(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds);
}
