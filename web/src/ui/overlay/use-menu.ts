import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { pageDirection } from '../../i18n/page-direction.ts';

/**
 * The properties of a menu's root, trigger and content (Radix). It opens when the press is over and not when it begins:
 * a menu that appears under a press takes its end as the choice of whichever item lies there. It is not modal, because
 * what stays in the tab order must not be hidden from screen readers.
 * @param is_open whether it is open at first: it was fetched because it was asked for
 */
export function useMenu({ is_open = false } = {}) {
  const [open, setOpen] = useState(is_open);
  const trigger = useRef<HTMLButtonElement>(null);
  return {
    open: () => setOpen(true),
    root: { open, onOpenChange: setOpen, modal: false, dir: pageDirection() },
    trigger: {
      ref: trigger,
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
      onClick: () => setOpen(!open),
    },
    content: {
      // The trigger handles its own press, which closes an open menu.
      onInteractOutside: (event: Event) => {
        if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
      },
    },
  };
}
