import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';

/** The place of the tick at the beginning of a menu's item, which is empty while the item is off. */
export const MenuTick = () => (
  <span className="tick">
    <DropdownMenu.ItemIndicator>
      <Check aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  </span>
);

/** What a menu's item does, and below it in small letters what that means. */
export const MenuWords = ({ label, detail }: { label: string; detail: string }) => (
  <span>
    {label}
    <br />
    <span className="soft small">{detail}</span>
  </span>
);
