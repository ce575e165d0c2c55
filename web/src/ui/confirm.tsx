import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';

interface ConfirmProps {
  trigger: ReactNode;
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back; the safe answer has the focus. */
export function Confirm({ trigger, title, text, action, onConfirm }: ConfirmProps) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-veil" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className="soft">{text}</AlertDialog.Description>
          <div className="row">
            <AlertDialog.Action className="button button-danger" onClick={onConfirm}>
              {action}
            </AlertDialog.Action>
            <AlertDialog.Cancel className="button button-quiet">Keep it</AlertDialog.Cancel>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
