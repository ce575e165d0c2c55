import { Check, ChevronDown } from 'lucide-react';
import { Select } from 'radix-ui';
import { useId } from 'react';
import './event/choice.css';

interface LabelledSelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
  /** Hides the label visually where the context makes it clear. */
  is_label_hidden?: boolean;
  error?: string | undefined;
}

/** A labelled select. */
export function LabelledSelect({
  label,
  value,
  options,
  onChange,
  is_label_hidden = false,
  error,
}: LabelledSelectProps) {
  const id = useId();
  return (
    <div className="field">
      <span id={`${id}-label`} className={is_label_hidden ? 'visually-hidden' : 'picker-label'}>
        {label}
      </span>
      <Select.Root value={value} onValueChange={onChange}>
        <Select.Trigger className="picker" id={id} aria-labelledby={`${id}-label ${id}`}>
          <span className="cut">
            <Select.Value />
          </span>
          <ChevronDown aria-hidden="true" size={18} />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content className="menu picker-menu" position="popper" sideOffset={4} collisionPadding={12}>
            <Select.Viewport>
              {options.map(([option, words]) => (
                <Select.Item key={option} value={option} className="menu-item">
                  <span className="tick">
                    <Select.ItemIndicator>
                      <Check aria-hidden="true" size={16} />
                    </Select.ItemIndicator>
                  </span>
                  <Select.ItemText>{words}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      {error === undefined ? null : (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
