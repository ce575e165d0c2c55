interface SegmentedControlProps<T extends string> {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

/** A segmented control: one of a few options is selected. */
export function SegmentedControl<T extends string>({ label, options, value, onChange }: SegmentedControlProps<T>) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {(Object.entries(options) as [T, string][]).map(([name, words]) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
          {words}
        </button>
      ))}
    </div>
  );
}
