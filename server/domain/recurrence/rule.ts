/** Recurrence rules (RFC 5545, section 3.3.10): read into data, with words for what is wrong. */

export const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** A day of the week, 1 for Monday to 7; with `nth` only that one of its month or year, from the end when negative. */
export type WeekDay = { day: number; nth: number | undefined };

export type Rule = {
  frequency: (typeof frequencies)[number];
  interval: number;
  count: number | undefined;
  /** In UTC where it ends in Z, else on the wall clock; a date alone is its whole day. */
  until: { text: string; is_utc: boolean } | undefined;
  /** 1 for Monday to 7. */
  week_start: number;
  months: number[];
  month_days: number[];
  year_days: number[];
  week_numbers: number[];
  week_days: WeekDay[];
  hours: number[];
  minutes: number[];
  positions: number[];
};

/** A rule that cannot be understood; its message says why, for a person. */
export class RuleError extends Error {}

const max_characters = 300;

const lists = {
  BYMONTH: ['months', 1, 12, false],
  BYMONTHDAY: ['month_days', 1, 31, true],
  BYYEARDAY: ['year_days', 1, 366, true],
  BYWEEKNO: ['week_numbers', 1, 53, true],
  BYHOUR: ['hours', 0, 23, false],
  BYMINUTE: ['minutes', 0, 59, false],
  BYSETPOS: ['positions', 1, 366, true],
} as const;

/** Reads a rule, without the prefix `RRULE:`. @throws RuleError */
export function readRule(text: string): Rule {
  if (text.length > max_characters) throw new RuleError('is too long for a recurrence rule');
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)$/.exec(part.toUpperCase()) ?? [];
    if (name === '' || parts.has(name)) throw new RuleError('is not a valid recurrence rule');
    parts.set(name, value);
  }
  const take = (name: string) => {
    const value = parts.get(name);
    parts.delete(name);
    return value;
  };
  const frequency = frequencies.find((one) => one === parts.get('FREQ'));
  if (!frequency) throw new RuleError(`must have FREQ, one of ${frequencies.join(', ')}`);
  parts.delete('FREQ');
  const rule: Rule = {
    frequency,
    interval: readCount('INTERVAL', take('INTERVAL'), 1000) ?? 1,
    count: readCount('COUNT', take('COUNT'), 10_000),
    until: readUntil(take('UNTIL')),
    week_start: readWeekStart(take('WKST')),
    months: [],
    month_days: [],
    year_days: [],
    week_numbers: [],
    hours: [],
    minutes: [],
    positions: [],
    week_days: readWeekDays(take('BYDAY'), frequency),
  };
  for (const [name, [key, least, most, is_signed]] of Object.entries(lists))
    rule[key] = readNumbers(name, take(name), least, most, is_signed);
  const [unknown] = parts.keys();
  if (unknown !== undefined) throw new RuleError(`has ${unknown}, which is not supported`);
  refuseContradictions(rule);
  return rule;
}

function refuseContradictions(rule: Rule): void {
  const { frequency } = rule;
  if (rule.count !== undefined && rule.until) throw new RuleError('cannot have both COUNT and UNTIL');
  if (rule.week_numbers.length > 0 && frequency !== 'YEARLY') throw new RuleError('may have BYWEEKNO only with YEARLY');
  if (rule.year_days.length > 0 && !['YEARLY', 'HOURLY'].includes(frequency))
    throw new RuleError(`may not have BYYEARDAY with ${frequency}`);
  if (rule.month_days.length > 0 && frequency === 'WEEKLY') throw new RuleError('may not have BYMONTHDAY with WEEKLY');
  const { months, month_days, year_days, week_numbers, week_days, hours, minutes } = rule;
  const has_other = [months, month_days, year_days, week_numbers, week_days, hours, minutes].some(
    (one) => one.length > 0,
  );
  if (rule.positions.length > 0 && !has_other) throw new RuleError('has BYSETPOS without another BY rule');
  // What goes on for ever must leave others room: at most four times an hour.
  if (rule.minutes.length > 4) throw new RuleError('has more than 4 minutes in BYMINUTE');
}

function readCount(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new RuleError(`must have a ${name} from 1 to ${most}`);
  return value;
}

function readUntil(text: string | undefined): Rule['until'] {
  if (text === undefined) return undefined;
  const [, year, month, day, time = '', hour = '23', minute = '59', second = '59', zulu = ''] =
    /^(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text) ?? [];
  const local = `${year}-${month}-${day}T${time ? hour : '23'}:${time ? minute : '59'}:${time ? second : '59'}`;
  try {
    Temporal.PlainDateTime.from(local, { overflow: 'reject' });
  } catch {
    throw new RuleError('must have an UNTIL such as 20301231T235959Z');
  }
  return { text: local, is_utc: zulu === 'Z' };
}

const readWeekStart = (text = 'MO'): number => {
  const day = (days as readonly string[]).indexOf(text) + 1;
  if (day === 0) throw new RuleError('has a WKST that is not a day');
  return day;
};

function readWeekDays(text: string | undefined, frequency: Rule['frequency']): WeekDay[] {
  if (text === undefined) return [];
  return text.split(',').map((one) => {
    const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(one) ?? [];
    const day = (days as readonly string[]).indexOf(name) + 1;
    if (day === 0) throw new RuleError(`has "${one}" in BYDAY, which is not a day`);
    if (nth === undefined) return { day, nth: undefined };
    const number = Number(nth);
    if (number === 0 || Math.abs(number) > 53) throw new RuleError(`has "${one}" in BYDAY, which is not a day`);
    if (frequency !== 'MONTHLY' && frequency !== 'YEARLY')
      throw new RuleError(`may number the days of BYDAY only with MONTHLY and YEARLY`);
    return { day, nth: number };
  });
}

function readNumbers(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
  is_signed: boolean,
): number[] {
  if (text === undefined) return [];
  const values = text.split(',').map((one) => {
    const value = (is_signed ? /^[+-]?\d{1,3}$/ : /^\d{1,3}$/).test(one) ? Number(one) : Number.NaN;
    const size = Math.abs(value);
    if (!(size >= least && size <= most)) throw new RuleError(`has "${one}" in ${name}, which is not allowed`);
    return value;
  });
  return [...new Set(values)];
}
