import { ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { useMenu } from './overlay/use-menu.ts';

interface ChoiceChipProps<T extends string> {
  /** The subject of the choice, for screen readers: "Tag". */
  label: string;
  value: T;
  options: readonly { readonly value: T; readonly words: string }[];
  onChoose: (value: T) => void;
  icon?: ReactNode;
  look?: 'line' | 'star';
}

/** A chip that shows the selected option and opens a menu of the others. */
export function ChoiceChip<T extends string>({ label, value, options, onChoose, icon, look }: ChoiceChipProps<T>) {
  const menu = useMenu();
  const chosen = options.find((option) => option.value === value)?.words ?? '';
  const kind = look === undefined ? '' : look === 'star' ? ' star-chip' : ' line';
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className={`chip${kind}`} aria-label={`${label}: ${chosen}`}>
        {icon}
        <bdi>{chosen}</bdi>
        <ChevronDown aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" align="start" sideOffset={8} collisionPadding={12}>
          <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChoose(next as T)}>
            {options.map((option) => (
              <DropdownMenu.RadioItem key={option.value} value={option.value} className="menu-item">
                <span className="tick" aria-hidden="true">
                  {option.value === value ? '✓' : ''}
                </span>
                <bdi>{option.words}</bdi>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
