import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';

/** The column of the check mark at the start of a menu item, empty while the item is off. */
export const MenuTick = () => (
  <span className="tick">
    <DropdownMenu.ItemIndicator>
      <Check aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  </span>
);

/** The label of a menu item, with an explanation below it. */
export const MenuLabel = ({ label, detail }: { label: string; detail: string }) => (
  <span>
    {label}
    <br />
    <span className="soft small">{detail}</span>
  </span>
);
