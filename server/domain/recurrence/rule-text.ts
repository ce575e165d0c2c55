/** Parsing of recurrence rules: exactly what RFC 5545, section 3.3.10, allows. */
import { day_s, readDate } from './civil.ts';

/** The frequencies of recurrence rules. */
export const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
/** The frequency of a recurrence rule. */
export type Frequency = (typeof frequencies)[number];

/** A day of the week (0 for Sunday): each, or only the nth, counted from the end when negative. */
export type WeekdayPart = { weekday: number; nth: number };

/** When a rule ends: a UTC instant, a wall-clock time of the event, or the end of a date there. */
export type Until = { kind: 'moment' | 'local'; at_s: number; is_date: boolean };

/** A recurrence rule; its members are those of RFC 5545. */
export type Rule = {
  freq: Frequency;
  interval: number;
  count?: number;
  until?: Until;
  by_second?: number[];
  by_minute?: number[];
  by_hour?: number[];
  by_day?: WeekdayPart[];
  by_month_day?: number[];
  by_year_day?: number[];
  by_week_no?: number[];
  by_month?: number[];
  by_set_pos?: number[];
  week_start: number;
};

/** An invalid rule. Its message completes a sentence about it. */
export class RuleError extends Error {}

/** The maximum length of a rule, in characters. */
export const max_rule_length = 500;
/** The maximum of times per day. */
const max_times_a_day = 1440;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const refuse = (text: string): never => {
  throw new RuleError(text);
};

function readWhole(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^[+-]?\d{1,9}$/.test(text) || value < min || value > max)
    refuse(`has a ${name} that is not between ${min} and ${max}`);
  return value;
}

const readList = (name: string, text: string, max: number, has_negative: boolean, min = 1): number[] => {
  const values = text.split(',').map((one) => readWhole(name, one, has_negative ? -max : min, max));
  if (has_negative && values.includes(0)) refuse(`has a ${name} of 0`);
  return [...new Set(values)].sort((a, b) => a - b);
};

function readWeekdays(text: string): WeekdayPart[] {
  return text.split(',').map((one) => {
    const parts = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(one);
    if (!parts) return refuse('has a BYDAY that is not a weekday');
    const nth = parts[1] === undefined ? 0 : readWhole('BYDAY', parts[1], -53, 53);
    if (parts[1] !== undefined && nth === 0) refuse('has a BYDAY of 0');
    return { weekday: weekdays.indexOf(parts[2] ?? ''), nth };
  });
}

function readUntil(text: string): Until {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
  const day = parts && readDate(`${parts[1]}-${parts[2]}-${parts[3]}`);
  if (!parts || day === undefined || day === null) return refuse('has an UNTIL that is not a valid date');
  if (parts[4] === undefined) return { kind: 'local', at_s: day * day_s + day_s - 1, is_date: true };
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6])];
  if (hour > 23 || minute > 59 || second > 60) refuse('has an UNTIL that is not a valid time');
  const at_s = day * day_s + hour * 3600 + minute * 60 + Math.min(second, 59);
  return { kind: parts[7] === 'Z' ? 'moment' : 'local', at_s, is_date: false };
}

const readers: Record<string, (rule: Rule, text: string) => void> = {
  INTERVAL: (rule, text) => (rule.interval = readWhole('INTERVAL', text, 1, 10_000)),
  COUNT: (rule, text) => (rule.count = readWhole('COUNT', text, 1, 10_000)),
  UNTIL: (rule, text) => (rule.until = readUntil(text)),
  BYSECOND: (rule, text) => (rule.by_second = readList('BYSECOND', text, 60, false, 0)),
  BYMINUTE: (rule, text) => (rule.by_minute = readList('BYMINUTE', text, 59, false, 0)),
  BYHOUR: (rule, text) => (rule.by_hour = readList('BYHOUR', text, 23, false, 0)),
  BYDAY: (rule, text) => (rule.by_day = readWeekdays(text)),
  BYMONTHDAY: (rule, text) => (rule.by_month_day = readList('BYMONTHDAY', text, 31, true)),
  BYYEARDAY: (rule, text) => (rule.by_year_day = readList('BYYEARDAY', text, 366, true)),
  BYWEEKNO: (rule, text) => (rule.by_week_no = readList('BYWEEKNO', text, 53, true)),
  BYMONTH: (rule, text) => (rule.by_month = readList('BYMONTH', text, 12, false)),
  BYSETPOS: (rule, text) => (rule.by_set_pos = readList('BYSETPOS', text, 366, true)),
  WKST: (rule, text) => {
    rule.week_start = weekdays.indexOf(text);
    if (rule.week_start < 0) refuse('has a WKST that is not a weekday');
  },
};

/** Combinations that the RFC forbids. */
function checkParts(rule: Rule): void {
  const { freq, by_day, by_week_no, by_year_day, by_month_day, by_set_pos } = rule;
  if (rule.count !== undefined && rule.until) refuse('has both COUNT and UNTIL');
  if (by_week_no && freq !== 'YEARLY') refuse('has BYWEEKNO without FREQ=YEARLY');
  if (by_year_day && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(freq)) refuse(`has BYYEARDAY with FREQ=${freq}`);
  if (by_month_day && freq === 'WEEKLY') refuse('has BYMONTHDAY with FREQ=WEEKLY');
  const has_nth = by_day?.some(({ nth }) => nth !== 0) === true;
  if (has_nth && freq !== 'MONTHLY' && freq !== 'YEARLY') refuse(`has a numbered BYDAY with FREQ=${freq}`);
  if (has_nth && by_week_no) refuse('has a numbered BYDAY with BYWEEKNO');
  const others = [by_day, by_week_no, by_year_day, by_month_day, rule.by_month, rule.by_hour, rule.by_minute];
  if (by_set_pos && [...others, rule.by_second].every((part) => part === undefined))
    refuse('has BYSETPOS without another BY part');
  const times = [rule.by_hour, rule.by_minute, rule.by_second].map((part) => part?.length ?? 1);
  if (times.reduce((product, length) => product * length, 1) > max_times_a_day) refuse('repeats too often in a day');
}

const parsed = new Map<string, Rule>();
const max_parsed = 2000;

/** Parses a rule, without the prefix `RRULE:`. @throws RuleError */
export function readRule(text: string): Rule {
  const known = parsed.get(text);
  if (known) return known;
  if (text.length > max_rule_length) refuse(`is longer than ${max_rule_length} characters`);
  const rule: Rule = { freq: 'DAILY', interval: 1, week_start: 1 };
  const seen = new Set<string>();
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (rest.length > 0 || value === '' || seen.has(name)) refuse('is not a valid recurrence rule');
    seen.add(name);
    if (name === 'FREQ') {
      if (!frequencies.includes(value as Frequency)) refuse('has no known FREQ');
      rule.freq = value as Frequency;
    } else (readers[name] ?? refuse('is not a valid recurrence rule'))(rule, value);
  }
  if (!seen.has('FREQ')) refuse('has no FREQ');
  checkParts(rule);
  if (parsed.size >= max_parsed) parsed.delete(parsed.keys().next().value ?? '');
  parsed.set(text, rule);
  return rule;
}
