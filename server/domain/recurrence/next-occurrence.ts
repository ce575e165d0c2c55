/** The next occurrence of a rule without a calendar event: for scheduled jobs and commands. */
import { readRule } from './rule-text.ts';
import { measure, nextAfter, type Schedule } from './schedule.ts';

/** A cache of the last starts by `COUNT`, since catching up on missed runs computes one occurrence after the other. */
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
 * The first occurrence of a rule after `after`, in whole seconds.
 * @param rrule without the prefix `RRULE:`
 * @param starts_at when it starts; not an occurrence itself unless it matches the rule
 * @param timezone whose wall clock: a skipped time moves by the gap, of a repeated time the first counts
 * @returns undefined when there is none, or none within the step limit
 * @throws RuleError with a message for people, when the rule is invalid or its `COUNT` cannot be followed within the
 *   step limit
 */
export function nextOccurrence(rrule: string, starts_at: Date, timezone: string, after: Date): Date | undefined {
  const starts_s = Math.floor(starts_at.getTime() / 1000);
  const open = { starts_s, ends_s: starts_s, all_day: false, timezone, rrule, exdates: [] };
  const schedule = { ...open, rule_end_s: ruleEndOf(open, rrule) };
  const next = nextAfter(schedule, Math.floor(after.getTime() / 1000));
  return next && new Date(next.starts_s * 1000);
}
