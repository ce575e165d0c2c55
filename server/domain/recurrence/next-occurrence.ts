/** The next time of a rule that no event stands behind: of scheduled jobs, and of what commands say. */
import { readRule } from './rule-text.ts';
import { measure, nextAfter, type Schedule } from './schedule.ts';

/** The last starts by `COUNT`, since whoever looks for what was missed asks for one time after the other. */
const known_ends = new Map<string, number | null>();
const max_known_ends = 500;

function ruleEndOf(open: Omit<Schedule, 'rule_end_s'>, rrule: string): number | null {
  if (readRule(rrule).count === undefined) return null;
  const key = `${open.starts_s} ${open.timezone} ${rrule}`;
  const known = known_ends.get(key);
  if (known !== undefined) return known;
  const { rule_end_s } = measure(open);
  if (known_ends.size >= max_known_ends) known_ends.clear();
  known_ends.set(key, rule_end_s);
  return rule_end_s;
}

/**
 * The first occurrence of a rule that is later than `after`, in whole seconds.
 * @param rrule without the prefix `RRULE:`
 * @param starts_at from when on it repeats; what does not fit the rule is no occurrence itself
 * @param timezone on whose wall clock: a time that is skipped moves by the gap, of one that comes twice the first counts
 * @returns undefined when there is none, or none within the steps that one look may cost
 * @throws RuleError with words for a person, when the rule cannot be understood or its `COUNT` cannot be followed
 */
export function nextOccurrence(rrule: string, starts_at: Date, timezone: string, after: Date): Date | undefined {
  const starts_s = Math.floor(starts_at.getTime() / 1000);
  const open = { starts_s, ends_s: starts_s, all_day: false, timezone, rrule, exdates: [] };
  const schedule = { ...open, rule_end_s: ruleEndOf(open, rrule) };
  const next = nextAfter(schedule, Math.floor(after.getTime() / 1000));
  return next && new Date(next.starts_s * 1000);
}
