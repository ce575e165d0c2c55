import { X } from 'lucide-react';
import { LabelledSelect } from '../labelled-select.tsx';
import { describeReminder } from '../event-text.ts';
import { i18n } from '../../../i18n/i18n.ts';

const MAX = 5;
const USUAL = [0, 5, 10, 30, 60, 120, 1440, 2880, 10_080];

interface RemindersProps {
  minutes: readonly number[];
  onChange: (minutes: readonly number[]) => void;
}

/** Up to five reminders, each chosen from a list of common intervals. */
export function Reminders({ minutes, onChange }: RemindersProps) {
  const left = USUAL.filter((one) => !minutes.includes(one));
  return (
    <div className="field">
      <span className="picker-label" id="reminders-label">
        {i18n.t('Reminders')}
      </span>
      {minutes.length === 0 ? null : (
        <ul className="cal-reminders" aria-labelledby="reminders-label">
          {[...minutes]
            .sort((a, b) => a - b)
            .map((one) => (
              <li key={one}>
                <span>{describeReminder(one)}</span>
                <button
                  type="button"
                  className="icon-button"
                  onClick={() => onChange(minutes.filter((other) => other !== one))}
                >
                  <X aria-hidden="true" />
                  <span className="visually-hidden">
                    {i18n.t('Remove the reminder {when}', {
                      when: describeReminder(one).toLowerCase(),
                    })}
                  </span>
                </button>
              </li>
            ))}
        </ul>
      )}
      {minutes.length >= MAX ? null : (
        <LabelledSelect
          label={i18n.t('Add a reminder')}
          is_label_hidden
          value="add"
          options={[
            ['add', i18n.t('Add a reminder')],
            ...left.map((one) => [String(one), describeReminder(one)] as const),
          ]}
          onChange={(value) => (value === 'add' ? undefined : onChange([...minutes, Number(value)]))}
        />
      )}
    </div>
  );
}
