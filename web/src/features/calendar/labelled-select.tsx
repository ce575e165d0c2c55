import { SelectField } from '../../ui/form.tsx';

interface LabelledSelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
  /** Hides the label visually where the context makes it clear. */
  is_label_hidden?: boolean;
  error?: string | undefined;
}

/** A select field of a list of options. */
export function LabelledSelect({ label, value, options, onChange, is_label_hidden, error }: LabelledSelectProps) {
  return (
    <SelectField
      label={label}
      value={value}
      error={error}
      className={is_label_hidden ? 'label-hidden' : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}
