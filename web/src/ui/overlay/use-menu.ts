import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { animateLeave } from './dismiss/animate-leave.ts';
import { pageDirection } from '../../i18n/page-direction.ts';

/**
 * The props of a menu's root, trigger and content (Radix). It opens on release and not on press: a menu that opens
 * under a press takes the release as a selection of the item below the pointer. It is not modal, because focusable
 * content must not be hidden from screen readers.
 * @param is_open the initial state: true when the menu was loaded because of a press
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
      ref: animateLeave,
      // The trigger handles its own press, which closes an open menu.
      onInteractOutside: (event: Event) => {
        if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
      },
    },
  };
}
