import { SelectField, TextField } from '../../ui/form.tsx';
import type { DayOfBirth } from './birthday.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

const listMonths = () =>
  Array.from({ length: 12 }, (_, at) =>
    formatDate(new Date(Date.UTC(2000, at, 1)), { month: 'long', timeZone: 'UTC' }),
  );

/** The day, the month and, if it is known, the year of a birthday. */
export function BirthdayField({
  birth,
  onChange,
  error,
}: {
  birth: DayOfBirth;
  onChange: (birth: DayOfBirth) => void;
  error: string | undefined;
}) {
  return (
    <fieldset className="birthday">
      <legend>{i18n.t('Birthday')}</legend>
      <TextField
        label={i18n.t('Day')}
        inputMode="numeric"
        maxLength={2}
        value={birth.day}
        onChange={({ currentTarget }) => onChange({ ...birth, day: currentTarget.value.replaceAll(/\D/g, '') })}
      />
      <SelectField
        label={i18n.t('Month')}
        value={birth.month}
        onChange={({ currentTarget }) => onChange({ ...birth, month: currentTarget.value })}
      >
        <option value="">–</option>
        {listMonths().map((month, at) => (
          <option key={month} value={String(at + 1)}>
            {month}
          </option>
        ))}
      </SelectField>
      <TextField
        label={i18n.t('Year, if known')}
        inputMode="numeric"
        maxLength={4}
        value={birth.year}
        onChange={({ currentTarget }) => onChange({ ...birth, year: currentTarget.value.replaceAll(/\D/g, '') })}
      />
      {error === undefined ? null : (
        <p className="field-error" role="alert">
          {i18n.t('This isn’t a valid date.')}
        </p>
      )}
    </fieldset>
  );
}
