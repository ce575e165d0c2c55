/**
 * Time zones in iCalendar (RFC 5545, section 3.6.5). Clock changes are written as yearly rules, because parsers that
 * misread RDATE are common; a change that matches no rule is written separately.
 */
import {
  dateOf,
  day_s,
  dayOf,
  daysInMonth,
  weekdayOf,
  writeDate,
  writeTime,
} from '../../../domain/recurrence/civil.ts';
import { offsetSpansBetween } from '../../../domain/recurrence/zones.ts';

type Turn = { at_s: number; from_offset_s: number; to_offset_s: number };
/** Clock changes of one kind in consecutive years, and the rules that match all of them. */
type Run = { key: string; first: Turn; last: Turn; years: number; last_year: number; fits: string[] };

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** Changes are searched up to this year, and a run that reaches it is written without an end. */
const min_horizon = 2045;
const horizon_years = 20;

const two = (value: number) => String(value).padStart(2, '0');

/** An offset as `+HHMM`, with seconds where a zone had some. */
function writeOffset(offset_s: number): string {
  const size = Math.abs(offset_s);
  const seconds = size % 60 === 0 ? '' : two(size % 60);
  return `${offset_s < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}${two(Math.floor(size / 60) % 60)}${seconds}`;
}

/** A local or UTC time in iCalendar format without its zone: `YYYYMMDDTHHMMSS`. */
export function writeBasic(at_s: number): string {
  const day = Math.floor(at_s / day_s);
  return `${writeDate(day)}T${writeTime(at_s - day * day_s)}`.replaceAll(/[-:]/g, '');
}

/** The rules for a day of the year that match this date, best first. */
function rulesOf(day_number: number): string[] {
  const { year, month, day } = dateOf(day_number);
  const weekday = weekdays[weekdayOf(day_number)] ?? '';
  const length = daysInMonth(year, month);
  const on = `BYMONTH=${month}`;
  const windows = Array.from({ length: 7 }, (_, at) => day - at).filter((first) => first >= 1 && first + 6 <= length);
  return [
    ...(day + 7 > length ? [`${on};BYDAY=-1${weekday}`] : []),
    ...(day <= 28 ? [`${on};BYDAY=${Math.ceil(day / 7)}${weekday}`] : []),
    ...windows.map(
      (first) => `${on};BYMONTHDAY=${Array.from({ length: 7 }, (_, at) => first + at).join(',')};BYDAY=${weekday}`,
    ),
    `${on};BYMONTHDAY=${day}`,
  ];
}

/** Groups changes into runs of consecutive years. */
function gather(turns: Turn[]): Run[] {
  const runs: Run[] = [];
  for (const turn of turns) {
    const local_s = turn.at_s + turn.from_offset_s;
    const day = Math.floor(local_s / day_s);
    const { year, month } = dateOf(day);
    const key = [turn.from_offset_s, turn.to_offset_s, month, local_s - day * day_s].join(' ');
    const rules = rulesOf(day);
    const run = runs.findLast((one) => one.key === key && one.last_year === year - 1);
    const fits = run?.fits.filter((rule) => rules.includes(rule)) ?? [];
    if (run && fits.length > 0) Object.assign(run, { last: turn, last_year: year, years: run.years + 1, fits });
    else runs.push({ key, first: turn, last: turn, years: 1, last_year: year, fits: rules });
  }
  return runs;
}

function writeRun({ first, last, years, last_year, fits: [rule = ''] }: Run, horizon: number): string[] {
  const name = first.to_offset_s > first.from_offset_s ? 'DAYLIGHT' : 'STANDARD';
  const until = last_year >= horizon ? '' : `;UNTIL=${writeBasic(last.at_s)}Z`;
  return [
    `BEGIN:${name}`,
    `DTSTART:${writeBasic(first.at_s + first.from_offset_s)}`,
    `TZOFFSETFROM:${writeOffset(first.from_offset_s)}`,
    `TZOFFSETTO:${writeOffset(first.to_offset_s)}`,
    `TZNAME:${writeOffset(first.to_offset_s)}`,
    ...(years > 1 ? [`RRULE:FREQ=YEARLY;${rule}${until}`] : []),
    `END:${name}`,
  ];
}

const written = new Map<string, string[]>();
const max_written = 500;

/** The lines of a zone from the year of an instant on. */
export function writeZone(zone: string, from_s: number): string[] {
  const { year } = dateOf(Math.floor(from_s / day_s));
  const key = `${zone} ${year}`;
  const known = written.get(key);
  if (known) return known;
  const begin_s = dayOf(year - 1, 1, 1) * day_s;
  const horizon = Math.max(min_horizon, year + horizon_years);
  const stretches = offsetSpansBetween(zone, begin_s, dayOf(horizon + 1, 1, 1) * day_s - 1);
  const turns = stretches.slice(1).map(({ from_s: at_s, offset_s }, at) => ({
    at_s,
    from_offset_s: stretches[at]?.offset_s ?? offset_s,
    to_offset_s: offset_s,
  }));
  const offset_s = stretches[0]?.offset_s ?? 0;
  const opening = { at_s: begin_s - offset_s, from_offset_s: offset_s, to_offset_s: offset_s };
  const first = { key: '', first: opening, last: opening, years: 1, last_year: year, fits: [] };
  const runs = [first, ...gather(turns)];
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...runs.flatMap((run) => writeRun(run, horizon)), 'END:VTIMEZONE'];
  if (written.size >= max_written) written.delete(written.keys().next().value ?? '');
  written.set(key, lines);
  return lines;
}
