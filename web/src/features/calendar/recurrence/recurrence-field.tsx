import { useState } from 'react';
import { Chip } from '../../../ui/chip.tsx';
import { TextField } from '../../../ui/form.tsx';
import { LabelledSelect } from '../labelled-select.tsx';
import { addDays, addMonths, firstWeekday, weekdayOf } from '../days.ts';
import { baseOf, endOf, readSimpleRule, ruleOptions, withEnd, writeSimpleRule } from './recurrence-rules.ts';
import type { Frequency, SimpleRule, RuleEnd } from './recurrence-rules.ts';
import { codeOfWeekday, describeRule, nameOfWeekday } from './recurrence-text.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface RecurrenceProps {
  rule: string | null;
  /** The day of the first occurrence. */
  day: string;
  onChange: (rule: string | null) => void;
  error?: string | undefined;
}

const listUnits = (): readonly (readonly [Frequency, string])[] => [
  ['DAILY', i18n.t('days')],
  ['WEEKLY', i18n.t('weeks')],
  ['MONTHLY', i18n.t('months')],
  ['YEARLY', i18n.t('years')],
];

function SimpleRuleFields({
  simple_rule,
  day,
  onChange,
}: {
  simple_rule: SimpleRule;
  day: string;
  onChange: (simple_rule: SimpleRule) => void;
}) {
  const codes = Array.from({ length: 7 }, (_, index) => codeOfWeekday((firstWeekday() + index) % 7));
  const chosen = simple_rule.weekdays.length > 0 ? simple_rule.weekdays : [codeOfWeekday(weekdayOf(day))];
  const toggle = (code: string) => {
    const others = chosen.filter((one) => one !== code);
    const weekdays = others.length === chosen.length ? [...chosen, code] : others;
    if (weekdays.length > 0) onChange({ ...simple_rule, weekdays });
  };
  return (
    <>
      <div className="form-grid">
        <TextField
          label={i18n.t('Every')}
          type="number"
          min={1}
          max={99}
          value={simple_rule.interval}
          onChange={({ currentTarget }) =>
            onChange({
              ...simple_rule,
              interval: Math.min(99, Math.max(1, Math.floor(Number(currentTarget.value) || 1))),
            })
          }
        />
        <LabelledSelect
          label={i18n.t('Unit')}
          value={simple_rule.frequency}
          options={listUnits()}
          onChange={(frequency) => onChange({ ...simple_rule, frequency: frequency as Frequency })}
        />
      </div>
      {simple_rule.frequency === 'WEEKLY' ? (
        <div className="cal-weekdays" role="group" aria-label={i18n.t('On')}>
          {codes.map((code) => (
            <Chip
              key={code}
              pressed={chosen.includes(code)}
              aria-label={nameOfWeekday(code)}
              onClick={() => toggle(code)}
            >
              {nameOfWeekday(code, 'short')}
            </Chip>
          ))}
        </div>
      ) : null}
    </>
  );
}

function EndFields({ end, day, onChange }: { end: RuleEnd; day: string; onChange: (end: RuleEnd) => void }) {
  const choose = (kind: string) => {
    if (kind === 'until') onChange({ kind, day: addMonths(day, 3) });
    else onChange(kind === 'count' ? { kind, count: 10 } : { kind: 'never' });
  };
  return (
    <div className="form-grid">
      <LabelledSelect
        label={i18n.t('Ends')}
        value={end.kind}
        options={[
          ['never', i18n.t('Never')],
          ['until', i18n.t('On a day')],
          ['count', i18n.t('After a number of times')],
        ]}
        onChange={choose}
      />
      {end.kind === 'until' ? (
        <TextField
          label={i18n.t('Last day')}
          type="date"
          min={day}
          required
          value={end.day}
          onChange={({ currentTarget }) => onChange({ kind: 'until', day: currentTarget.value || addDays(day, 7) })}
        />
      ) : null}
      {end.kind === 'count' ? (
        <TextField
          label={i18n.t('Times')}
          type="number"
          min={1}
          max={999}
          value={end.count}
          onChange={({ currentTarget }) =>
            onChange({ kind: 'count', count: Math.min(999, Math.max(1, Math.floor(Number(currentTarget.value) || 1))) })
          }
        />
      ) : null}
    </div>
  );
}

/** The recurrence of an event: common rules for its day or a custom one, and its end, described in a sentence. */
export function RecurrenceField({ rule, day, onChange, error }: RecurrenceProps) {
  const [is_own, setOwn] = useState(false);
  const base = rule === null ? null : baseOf(rule);
  const simple_rule = base === null ? undefined : readSimpleRule(base);
  const end: RuleEnd = rule === null ? { kind: 'never' } : endOf(rule);
  const choose = (value: string) => {
    setOwn(value === 'own');
    if (value === 'never') return onChange(null);
    if (value !== 'own') return onChange(withEnd(value, end));
    const usual: SimpleRule = { frequency: 'WEEKLY', interval: 2, weekdays: [codeOfWeekday(weekdayOf(day))] };
    return onChange(withEnd(writeSimpleRule(simple_rule ?? usual), end));
  };
  return (
    <>
      <LabelledSelect
        label={i18n.t('Repeats')}
        value={is_own && rule !== null ? 'own' : (base ?? 'never')}
        options={ruleOptions(day, rule)}
        onChange={choose}
        error={error}
      />
      {is_own && simple_rule ? (
        <SimpleRuleFields
          simple_rule={simple_rule}
          day={day}
          onChange={(next) => onChange(withEnd(writeSimpleRule(next), end))}
        />
      ) : null}
      {base === null ? null : <EndFields end={end} day={day} onChange={(next) => onChange(withEnd(base, next))} />}
      {rule === null ? null : (
        <p className="soft small" aria-live="polite">
          {describeRule(rule)}
        </p>
      )}
    </>
  );
}
