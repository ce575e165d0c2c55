/**
 * Time zones: conversion between wall clocks and instants, by the IANA data of the runtime. All times are whole
 * seconds.
 */

/** An interval with a constant offset from UTC: from `from_s` to just before `to_s`. */
export type OffsetSpan = { from_s: number; to_s: number; offset_s: number };

const year_s = 366 * 86_400;
/** Offset spans of zones by year; the oldest entries are evicted first. */
const cache = new Map<string, OffsetSpan[]>();
const max_cached = 4000;

/** Whether a text is the name of an IANA time zone. Offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** Temporal's range of instants, without its edges. */
const min_s = -8.6e12 + 2 * year_s;
const max_s = 8.6e12 - 2 * year_s;
const clamp = (at_s: number): number => Math.min(Math.max(at_s, min_s), max_s);

const offsetIn = (at: Temporal.ZonedDateTime): number => Math.round(at.offsetNanoseconds / 1e9);

/** The spans of a zone that overlap a range of instants, in order. */
function readStretches(zone: string, from_s: number, to_s: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(clamp(from_s) * 1000).toZonedDateTimeISO(zone);
  let begins_s = -Infinity;
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    const ends_s = next ? Math.floor(next.epochMilliseconds / 1000) : Infinity;
    spans.push({ from_s: begins_s, to_s: ends_s, offset_s: offsetIn(at) });
    if (!next || ends_s > to_s) return spans;
    at = next;
    begins_s = ends_s;
  }
}

/** The spans around an instant: those of its year, and some days before and after. */
function offsetSpansAround(zone: string, at_s: number): OffsetSpan[] {
  const slot = Math.floor(at_s / year_s);
  if (last.zone === zone && last.slot === slot) return last.spans;
  last = { zone, slot, spans: findOffsetSpans(zone, slot) };
  return last.spans;
}

/** The last lookup, since the times of one event are converted one after the other. */
let last: { zone: string; slot: number; spans: OffsetSpan[] } = { zone: '', slot: 0, spans: [] };

function findOffsetSpans(zone: string, slot: number): OffsetSpan[] {
  const key = `${zone} ${slot}`;
  const known = cache.get(key);
  if (known) return known;
  const margin_s = 3 * 86_400;
  const made = readStretches(zone, slot * year_s - margin_s, (slot + 1) * year_s + margin_s);
  if (cache.size >= max_cached) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, made);
  return made;
}

/**
 * The spans of a zone between two instants, without duplicates. The first starts at -Infinity when its start was not
 * determined.
 */
export function offsetSpansBetween(zone: string, from_s: number, to_s: number): OffsetSpan[] {
  return readStretches(zone, from_s, to_s);
}

/** The UTC offset of a zone at an instant, in seconds. */
export function offsetAt(zone: string, at_s: number): number {
  for (const { to_s, offset_s } of offsetSpansAround(zone, at_s)) if (at_s < to_s) return offset_s;
  return 0;
}

/** Converts an instant to wall-clock time. */
export function toLocal(zone: string, at_s: number): number {
  return at_s + offsetAt(zone, at_s);
}

/**
 * The wall-clock time that does not exist and that `fromLocal` moves to an instant: there is one just after a gap, as
 * long as the gap was.
 */
export function skippedTimeAt(zone: string, at_s: number): number | undefined {
  let before_s: number | undefined;
  for (const { from_s, to_s, offset_s } of offsetSpansAround(zone, at_s)) {
    if (at_s < to_s) {
      const is_after_gap = before_s !== undefined && at_s - from_s < offset_s - before_s;
      return is_after_gap && before_s !== undefined ? at_s + before_s : undefined;
    }
    before_s = offset_s;
  }
  return undefined;
}

/**
 * Converts wall-clock time to an instant: the first of a repeated time; for one that does not exist, the instant by the
 * offset before the gap (RFC 5545, section 3.3.5).
 */
export function fromLocal(zone: string, local_s: number): number {
  let before_s: number | undefined;
  for (const { from_s, to_s, offset_s } of offsetSpansAround(zone, local_s)) {
    const at_s = local_s - offset_s;
    if (at_s < to_s) return at_s >= from_s || before_s === undefined ? at_s : local_s - before_s;
    before_s = offset_s;
  }
  return local_s - (before_s ?? 0);
}
