import { X } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import { useCallback, useRef, useState } from 'react';
import type { CSSProperties, PointerEvent } from 'react';
import { useCloseRequest } from '../hooks/use-close-request.ts';
import { focusAgain, ignoreMenus } from './dialog.tsx';
import { leaving } from './leaving.ts';
import type { SheetProps } from './sheet-props.ts';
import { i18n } from '../../i18n/i18n.ts';

const CLOSES_BEYOND_PX = 96;

/** Lets a sheet be dragged down; beyond a threshold, it closes. */
function useDrag(onClose: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const start = useRef<number | undefined>(undefined);
  const move = (to_px: number) => {
    if (sheet.current !== null) sheet.current.style.transform = to_px > 0 ? `translateY(${to_px}px)` : '';
  };
  return {
    sheet,
    grip: {
      onPointerDown: (event: PointerEvent) => {
        start.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current !== undefined) move(event.clientY - start.current);
      },
      onPointerUp: (event: PointerEvent) => {
        const far = start.current !== undefined && event.clientY - start.current > CLOSES_BEYOND_PX;
        start.current = undefined;
        // It leaves from where it was dragged to.
        if (far) onClose();
        else move(0);
      },
      onPointerCancel: () => {
        start.current = undefined;
        move(0);
      },
    },
  };
}

/** The sheet itself, loaded by `sheet.tsx` when the first one is opened. */
export function SheetParts({ open, onClose, title, returnTo, action, width_px = 480, children }: SheetProps) {
  const { sheet, grip } = useDrag(onClose);
  useCloseRequest(open, onClose);
  const [was_open, setWasOpen] = useState(false);
  const [before, setBefore] = useState<Element | null>(null);
  if (open !== was_open) {
    setWasOpen(open);
    // Before a field of the sheet takes the focus, which it does as soon as it is part of the page.
    if (open) setBefore(document.activeElement);
  }
  const shown = useCallback(
    (layer: HTMLDivElement | null) => {
      sheet.current = layer;
      return leaving(layer);
    },
    [sheet],
  );
  return (
    <Parts.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Overlay ref={leaving} className="scrim" />
        <Parts.Content
          ref={shown}
          className="sheet"
          style={{ '--sheet-width': `${width_px}px` } as CSSProperties}
          aria-describedby={undefined}
          onInteractOutside={ignoreMenus}
          onOpenAutoFocus={(event) => {
            // A field with initial focus has it already; otherwise the sheet gets it, and not a button in its header.
            event.preventDefault();
            sheet.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(returnTo === undefined ? before : returnTo.current);
          }}
        >
          <div className="sheet-grip" {...grip} aria-hidden="true" />
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
    </Parts.Root>
  );
}
