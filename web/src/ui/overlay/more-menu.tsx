import { Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { useMenu } from './use-menu.ts';

interface MoreMenuProps {
  menu: ReturnType<typeof useMenu>;
  /** The accessible name of the button. */
  label: string;
  /** The items. */
  children: ReactNode;
  /** Classes of the button. */
  className?: string;
  /** Whether an action of the menu is running. */
  is_busy?: boolean;
  /** Prevents the default of the event where the focus does not return to the button. */
  onCloseAutoFocus?: (event: Event) => void;
}

/** A menu behind a button with three dots; `menu` may also open it in another way, such as by a long press. */
export function MoreMenu({
  menu,
  label,
  children,
  className = 'icon-button',
  is_busy = false,
  ...content
}: MoreMenuProps) {
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className={className} aria-disabled={is_busy || undefined}>
        <Ellipsis aria-hidden="true" />
        <span className="visually-hidden">{label}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          {...menu.content}
          {...content}
          className="menu"
          align="end"
          sideOffset={4}
          collisionPadding={12}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
