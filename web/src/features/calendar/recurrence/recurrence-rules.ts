/** The recurrence rules that the client can create, and their editable parts. */
import { addDays, addMonths, daysBetween, weekdayOf } from '../days.ts';
import { codeOfWeekday, describeRule, readParts } from './recurrence-text.ts';
import { i18n } from '../../../i18n/i18n.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
/** The end of a rule. */
export type RuleEnd = { kind: 'never' } | { kind: 'until'; day: string } | { kind: 'count'; count: number };

/** The rule without its end. */
export function baseOf(rule: string): string {
  return rule
    .split(';')
    .filter((part) => !/^(UNTIL|COUNT)=/i.test(part))
    .join(';');
}

/** The end of a rule. */
export function endOf(rule: string): RuleEnd {
  const parts = readParts(rule);
  const [count, until] = [Number(parts.get('COUNT') ?? 0), parts.get('UNTIL')];
  if (count > 0) return { kind: 'count', count };
  if (until) return { kind: 'until', day: `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}` };
  return { kind: 'never' };
}

/** A rule with an end. */
export function withEnd(base: string, end: RuleEnd): string {
  if (end.kind === 'until') return `${base};UNTIL=${end.day.replaceAll('-', '')}`;
  return end.kind === 'count' ? `${base};COUNT=${end.count}` : base;
}

/** Common rules, without an end, for something that starts on a day. */
function suggestRules(day: string): string[] {
  const weekday = codeOfWeekday(weekdayOf(day));
  const date = Number(day.slice(8));
  const is_last = addDays(day, 7).slice(5, 7) !== day.slice(5, 7);
  return [
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${weekday}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    `FREQ=MONTHLY;BYMONTHDAY=${date}`,
    `FREQ=MONTHLY;BYDAY=${is_last ? -1 : Math.ceil(date / 7)}${weekday}`,
    'FREQ=YEARLY',
  ];
}

/** A simple custom rule: a frequency and an interval. */
export interface SimpleRule {
  frequency: Frequency;
  interval: number;
  /** For weekly rules: the days, by their two letters. */
  weekdays: readonly string[];
}

/** Parses a simple custom rule; undefined for a more complex one. */
export function readSimpleRule(rule: string): SimpleRule | undefined {
  const parts = readParts(baseOf(rule));
  const frequency = parts.get('FREQ') ?? '';
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(frequency)) return undefined;
  const days = parts.get('BYDAY');
  const known = ['FREQ', 'INTERVAL', 'WKST', ...(frequency === 'WEEKLY' ? ['BYDAY'] : [])];
  if ([...parts.keys()].some((name) => !known.includes(name))) return undefined;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  return { frequency: frequency as Frequency, interval, weekdays: days ? days.split(',') : [] };
}

/** Writes a simple custom rule. */
export function writeSimpleRule({ frequency, interval, weekdays }: SimpleRule): string {
  const every = interval > 1 ? `;INTERVAL=${interval}` : '';
  const days = frequency === 'WEEKLY' && weekdays.length > 0 ? `;BYDAY=${weekdays.join(',')}` : '';
  return `FREQ=${frequency}${every}${days}`;
}

/** The rules to choose from for something that starts on a day, with their descriptions. */
export function ruleOptions(day: string, present: string | null): (readonly [string, string])[] {
  const rules = suggestRules(day);
  const base = present === null ? undefined : baseOf(present);
  const own = base === undefined || rules.includes(base) ? [] : [base];
  return [
    ['never', i18n.t('Doesn’t repeat')],
    ...[...rules, ...own].map((rule) => [rule, describeRule(rule)] as const),
    ['own', i18n.t('Custom…')],
  ];
}

const ordinalOf = (day: string, is_from_end: boolean): number =>
  is_from_end
    ? -Math.ceil(daysBetween(day, addMonths(`${day.slice(0, 7)}-01`, 1)) / 7)
    : Math.ceil(Number(day.slice(8)) / 7);

/**
 * Adapts the part of a rule that names days, after a move from one day to another; undefined where that is impossible.
 */
function movePart(name: string, value: string, from: string, to: string): string | undefined {
  const [was, is] = [codeOfWeekday(weekdayOf(from)), codeOfWeekday(weekdayOf(to))];
  if (name === 'BYMONTHDAY') return value === String(Number(from.slice(8))) ? String(Number(to.slice(8))) : undefined;
  if (name === 'BYMONTH')
    return value === String(Number(from.slice(5, 7))) ? String(Number(to.slice(5, 7))) : undefined;
  if (name !== 'BYDAY') return undefined;
  const days = value.split(',');
  if (days.includes(was)) return [...new Set(days.map((code) => (code === was ? is : code)))].join(',');
  const [ordinal, code] = [Number(value.slice(0, -2)), value.slice(-2)];
  return code === was && ordinal === ordinalOf(from, ordinal < 0) ? `${ordinalOf(to, ordinal < 0)}${is}` : undefined;
}

/**
 * Adapts the rule of a series after one of its occurrences was moved to another day, in its time zone: day names follow
 * the new day, and so does the last day. Undefined for a rule that is too complex to be moved.
 */
export function moveRule(rule: string, from: string, to: string): string | undefined {
  if (from === to) return rule;
  const moved: string[] = [];
  for (const part of rule.split(';')) {
    const [name = '', value = ''] = part.toUpperCase().split('=');
    if (['FREQ', 'INTERVAL', 'WKST', 'COUNT'].includes(name)) moved.push(part);
    else if (name === 'UNTIL') {
      const day = `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6, 8)}`;
      moved.push(`UNTIL=${addDays(day, daysBetween(from, to)).replaceAll('-', '')}${value.slice(8)}`);
    } else {
      const after = movePart(name, value, from, to);
      if (after === undefined) return undefined;
      moved.push(`${name}=${after}`);
    }
  }
  return moved.join(';');
}
