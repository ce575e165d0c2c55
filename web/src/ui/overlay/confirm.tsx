import { AlertDialog } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { focusAgain } from './dialog.tsx';
import { leaving } from './leaving.ts';
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

/** Asks for confirmation of an irreversible action; the safe answer has the focus. */
export function Confirm({ trigger, ...question }: QuestionProps & { trigger: ReactNode }) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay ref={leaving} className="dialog-veil" />
        <AlertDialog.Content ref={leaving} className="dialog">
          <Question {...question} />
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

/** The same dialog for a menu, which is closed by then. */
export function ConfirmDialog({ open, onClose, returnTo, ...question }: OpenConfirmProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay ref={leaving} className="dialog-veil" />
        <AlertDialog.Content
          ref={leaving}
          className="dialog"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(returnTo.current);
          }}
        >
          <Question {...question} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
