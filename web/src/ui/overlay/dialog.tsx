import { X } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { useCloseRequest } from '../hooks/use-close-request.ts';
import { leaving } from './leaving.ts';
import { i18n } from '../../i18n/i18n.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The element that is focused when the dialog has closed. */
  returnTo: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A modal dialog; focus stays inside and returns afterwards. */
export function Dialog({ open, onClose, title, returnTo, children }: DialogProps) {
  useCloseRequest(open, onClose);
  return (
    <Parts.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Overlay ref={leaving} className="dialog-veil" />
        <Parts.Content
          ref={leaving}
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
          <Parts.Close className="icon-button dialog-close">
            <X aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Close')}</span>
          </Parts.Close>
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** A press in a menu, or a picker, over a dialog does not count as outside, although it is elsewhere in the document. */
export function ignoreMenus(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[role="menu"], [role="listbox"], .menu'))
    event.preventDefault();
}

/** Focuses an element, or, if that has been removed, the page's heading. */
export function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected) element.focus();
  else document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true });
}
