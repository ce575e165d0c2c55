import type { LucideIcon } from 'lucide-react';
import './people.css';

interface PersonActProps {
  icon: LucideIcon;
  label: string;
  of: string;
  is_first?: boolean;
  disabled: boolean;
  onPress: () => void;
}

/** One of the large round buttons below somebody's name. */
export function PersonAct({ icon: Icon, label, of, is_first = false, disabled, onPress }: PersonActProps) {
  return (
    <button
      type="button"
      className="person-act"
      data-first={is_first ? '' : undefined}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon aria-hidden="true" />
      <span>
        {label}
        <span className="visually-hidden"> {of}</span>
      </span>
    </button>
  );
}
