import { useId } from 'react';

interface SwitchProps {
  label: string;
  hint?: string;
  on: boolean;
  disabled?: boolean;
  onSwitch: () => void;
}

/** A switch whose change takes effect immediately. */
export function Switch({ label, hint, on, disabled = false, onSwitch }: SwitchProps) {
  const id = useId();
  const described_by = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="setting">
      <div>
        <label htmlFor={id}>{label}</label>
        {hint === undefined ? null : (
          <span id={`${id}-hint`} className="field-hint">
            {hint}
          </span>
        )}
      </div>
      <input
        id={id}
        className="switch"
        type="checkbox"
        role="switch"
        aria-describedby={described_by}
        checked={on}
        disabled={disabled}
        onChange={onSwitch}
      />
    </div>
  );
}
