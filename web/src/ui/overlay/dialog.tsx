import { X } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { useDismissal } from './use-dismissal.tsx';
import { restoreFocus } from './dismiss/restore-focus.ts';
import { animateLeave } from './dismiss/animate-leave.ts';
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
  const { ref, onOpenChange, onInteractOutside, question } = useDismissal(open, onClose);
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        <Parts.Overlay ref={animateLeave} className="dialog-veil" />
        <Parts.Content
          ref={ref}
          className="dialog"
          aria-describedby={undefined}
          onInteractOutside={onInteractOutside}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(returnTo.current);
          }}
        >
          <div className="sheet-grip" aria-hidden="true" />
          <Parts.Title>{title}</Parts.Title>
          {children}
          <Parts.Close className="icon-button dialog-close">
            <X aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Close')}</span>
          </Parts.Close>
        </Parts.Content>
      </Parts.Portal>
      {question}
    </Parts.Root>
  );
}
