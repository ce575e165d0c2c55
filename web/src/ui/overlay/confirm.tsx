import { AlertDialog } from 'radix-ui';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useCloseRequest } from '../hooks/use-close-request.ts';
import { useDismissibleLayer } from './dismiss/use-dismissible-layer.ts';
import { restoreFocus } from './dismiss/restore-focus.ts';
import { animateLeave } from './dismiss/animate-leave.ts';
import { i18n } from '../../i18n/i18n.ts';

interface QuestionProps {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
}

function Question({ title, text, action, onConfirm }: QuestionProps) {
  return (
    <>
      <div className="sheet-grip" aria-hidden="true" />
      <AlertDialog.Title>{title}</AlertDialog.Title>
      <AlertDialog.Description className="soft">{text}</AlertDialog.Description>
      <div className="cluster">
        <AlertDialog.Action className="button danger" onClick={onConfirm}>
          {action}
        </AlertDialog.Action>
        <AlertDialog.Cancel className="button quiet">{i18n.t('Cancel')}</AlertDialog.Cancel>
      </div>
    </>
  );
}

interface ConfirmProps extends QuestionProps {
  trigger: ReactNode;
  /** The element that gets the focus after the confirmation, if the trigger disappears by it. */
  returnTo?: RefObject<HTMLElement | null>;
}

/** Asks for confirmation of an irreversible action; the safe answer has the focus. */
export function Confirm({ trigger, returnTo, onConfirm, ...question }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  useCloseRequest(open, close);
  const layer = useDismissibleLayer(close);
  const is_confirmed = useRef(false);
  const confirm = () => {
    is_confirmed.current = true;
    onConfirm();
  };
  const returnFocus = (event: Event) => {
    if (!is_confirmed.current || returnTo === undefined) return;
    is_confirmed.current = false;
    event.preventDefault();
    restoreFocus(returnTo.current);
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay ref={animateLeave} className="dialog-veil" />
        <AlertDialog.Content ref={layer} className="dialog" onCloseAutoFocus={returnFocus}>
          <Question {...question} onConfirm={confirm} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface OpenConfirmProps extends QuestionProps {
  open: boolean;
  onClose: () => void;
  /** The element that gets the focus when the dialog is closed. */
  returnTo: RefObject<HTMLElement | null>;
}

/** The confirmation of a menu item: the menu is closed when the dialog opens. */
export function ConfirmDialog({ open, onClose, returnTo, ...question }: OpenConfirmProps) {
  useCloseRequest(open, onClose);
  const layer = useDismissibleLayer(onClose);
  return (
    <AlertDialog.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay ref={animateLeave} className="dialog-veil" />
        <AlertDialog.Content
          ref={layer}
          className="dialog"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(returnTo.current);
          }}
        >
          <Question {...question} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
