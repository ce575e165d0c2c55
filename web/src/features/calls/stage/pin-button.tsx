import { Pin, PinOff } from 'lucide-react';
import { i18n } from '../../../i18n/i18n.ts';

interface PinButtonProps {
  name: string;
  is_pinned: boolean;
  onPress: () => void;
}

/** Keeps a tile large, or ends that. It covers a small tile, and is in the corner of a large one. */
export function PinButton({ name, is_pinned, onPress }: PinButtonProps) {
  const Icon = is_pinned ? PinOff : Pin;
  return (
    <button type="button" className="tile-pin" data-pinned={is_pinned ? '' : undefined} onClick={onPress}>
      <span>
        <Icon aria-hidden="true" size={18} />
      </span>
      <span className="visually-hidden">
        {is_pinned ? i18n.t('Unpin {name}', { name }) : i18n.t('Pin {name}', { name })}
      </span>
    </button>
  );
}
