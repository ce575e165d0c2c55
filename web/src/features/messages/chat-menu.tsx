import { Ellipsis, Search } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { SearchSheet } from './message-search.tsx';
import type { SearchScope } from './message-search.tsx';

interface PlainMenuProps {
  /** Whose menu it is. */
  name: string;
  children: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
}

/** A menu behind three dots. */
export function PlainMenu({ name, children }: PlainMenuProps) {
  const menu = useMenu();
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="ib">
        <Ellipsis aria-hidden="true" />
        <span className="visually-hidden">More about {name}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={4} collisionPadding={12}>
          {children(menu.trigger.ref)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/**
 * What the menu of an open chat has of its own: the search in it.
 * @returns the items, to be put into a menu whose button has the focus again, and what they open
 */
export function useChatMenu(scope: SearchScope): {
  items: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
  sheet: ReactNode;
} {
  const [is_searching, search] = useState(false);
  const from = useRef<HTMLElement>(null);
  return {
    items: (returnTo) => (
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() => {
          from.current = returnTo.current;
          search(true);
        }}
      >
        <Search aria-hidden="true" />
        Search in chat
      </DropdownMenu.Item>
    ),
    sheet: is_searching ? <SearchSheet scope={scope} onClose={() => search(false)} returnTo={from} /> : null,
  };
}
