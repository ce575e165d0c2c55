import { Dialog as Parts } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What has the focus again when the dialog is gone. */
  returnTo: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** Something that needs an answer before the page goes on; the focus stays inside and returns afterwards. */
export function Dialog({ open, onClose, title, returnTo, children }: DialogProps) {
  return (
    <Parts.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Overlay className="dialog-veil" />
        <Parts.Content
          className="dialog"
          aria-describedby={undefined}
          onInteractOutside={ignoreMenus}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(returnTo.current);
          }}
        >
          <Parts.Title>{title}</Parts.Title>
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** A press in a menu that lies over a dialog is no press beside it, although the menu hangs elsewhere in the document. */
export function ignoreMenus(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[role="menu"], [role="listbox"]'))
    event.preventDefault();
}

/** Gives the focus to an element, or, when that is gone from the page, to the page's heading. */
export function focusAgain(element: HTMLElement | null): void {
  if (element?.isConnected === true) element.focus();
  else document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true });
}
