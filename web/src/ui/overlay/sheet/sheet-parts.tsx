import { X } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import { useState, type CSSProperties } from 'react';
import { useDismissal } from '../use-dismissal.tsx';
import { restoreFocus } from '../dismiss/restore-focus.ts';
import { animateLeave } from '../dismiss/animate-leave.ts';
import type { SheetProps } from './sheet-props.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The sheet itself, loaded by `sheet.tsx` when the first one is opened. */
export function SheetParts({
  open,
  onClose,
  title,
  returnTo,
  action,
  width_px = 480,
  keeps_text,
  children,
}: SheetProps) {
  const { layer, ref, onOpenChange, onInteractOutside, question } = useDismissal(open, onClose, keeps_text);
  const [was_open, setWasOpen] = useState(false);
  const [before, setBefore] = useState<Element | null>(null);
  if (open !== was_open) {
    setWasOpen(open);
    // Before a field of the sheet takes the focus, which it does as soon as it is part of the page.
    if (open) setBefore(document.activeElement);
  }
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        <Parts.Overlay ref={animateLeave} className="scrim" />
        <Parts.Content
          ref={ref}
          className="sheet"
          style={{ '--sheet-width': `${width_px}px` } as CSSProperties}
          aria-describedby={undefined}
          onInteractOutside={onInteractOutside}
          onOpenAutoFocus={(event) => {
            // A field with initial focus has it already; otherwise the sheet gets it, and not a button in its header.
            event.preventDefault();
            layer.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(returnTo === undefined ? before : returnTo.current);
          }}
        >
          <div className="sheet-grip" aria-hidden="true" />
          <header className="sheet-head">
            <Parts.Title>{title}</Parts.Title>
            {action}
            <Parts.Close className="icon-button">
              <X aria-hidden="true" />
              <span className="visually-hidden">{i18n.t('Close')}</span>
            </Parts.Close>
          </header>
          <div className="sheet-body">{children}</div>
        </Parts.Content>
      </Parts.Portal>
      {question}
    </Parts.Root>
  );
}
