/** The rules that a person can pick, and the parts of one that they can change. */
import { addDays, weekdayOf } from '../days.ts';
import { codeOfWeekday, describeRule, readParts } from './recurrence-words.ts';
import { i18n } from '../../../i18n/i18n.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
/** Until when a rule repeats. */
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

/** Rules without an end that fit something that begins on a day. */
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

/** A pace of one's own, where a rule is no more than that. */
export interface Pace {
  frequency: Frequency;
  interval: number;
  /** For weeks: the days, by their two letters. */
  weekdays: readonly string[];
}

/** A rule as a pace; undefined where it says more than one can pick. */
export function readPace(rule: string): Pace | undefined {
  const parts = readParts(baseOf(rule));
  const frequency = parts.get('FREQ') ?? '';
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(frequency)) return undefined;
  const days = parts.get('BYDAY');
  const known = ['FREQ', 'INTERVAL', 'WKST', ...(frequency === 'WEEKLY' ? ['BYDAY'] : [])];
  if ([...parts.keys()].some((name) => !known.includes(name))) return undefined;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  return { frequency: frequency as Frequency, interval, weekdays: days ? days.split(',') : [] };
}

/** The rule of a pace. */
export function writePace({ frequency, interval, weekdays }: Pace): string {
  const every = interval > 1 ? `;INTERVAL=${interval}` : '';
  const days = frequency === 'WEEKLY' && weekdays.length > 0 ? `;BYDAY=${weekdays.join(',')}` : '';
  return `FREQ=${frequency}${every}${days}`;
}

/** What one may pick for something that begins on a day, with the words of each. */
export function ruleOptions(day: string, present: string | null): (readonly [string, string])[] {
  const rules = suggestRules(day);
  const base = present === null ? undefined : baseOf(present);
  const own = base === undefined || rules.includes(base) ? [] : [base];
  return [
    ['never', i18n.t('Does not repeat')],
    ...[...rules, ...own].map((rule) => [rule, describeRule(rule)] as const),
    ['own', i18n.t('Another pace…')],
  ];
}
