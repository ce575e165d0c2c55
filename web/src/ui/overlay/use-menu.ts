import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';

/**
 * The properties of a menu's root, trigger and content (Radix). It opens when the press is over and not when it begins:
 * a menu that appears under a press takes its end as the choice of whichever item lies there. It is not modal, because
 * what stays in the tab order must not be hidden from screen readers.
 */
export function useMenu() {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return {
    root: { open, onOpenChange: setOpen, modal: false },
    trigger: {
      ref: trigger,
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
      onClick: () => setOpen(!open),
    },
    content: {
      // A press on the trigger is the trigger's business, which closes what is open.
      onInteractOutside: (event: Event) => {
        if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
      },
    },
  };
}
