import type { LucideIcon } from 'lucide-react';
import './people.css';

interface PersonActionProps {
  icon: LucideIcon;
  label: string;
  /** The accessible name, which contains the person's name. */
  full_label: string;
  is_first?: boolean;
  disabled: boolean;
  onPress: () => void;
}

/** One of the large round buttons below somebody's name. */
export function PersonAction({
  icon: Icon,
  label,
  full_label,
  is_first = false,
  disabled,
  onPress,
}: PersonActionProps) {
  return (
    <button
      type="button"
      className="person-action"
      data-first={is_first ? '' : undefined}
      aria-label={full_label}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}
