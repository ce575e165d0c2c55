import type { LucideIcon } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps {
  icon: LucideIcon;
  label: string;
  /** Whether the label is visible; otherwise the button is round, with its icon only. */
  has_label?: boolean;
  /** The title of the dialog. */
  title: string;
  /** The content of the dialog. @param close closes it, such as after saving */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, and has the focus again when that has closed. */
export function DialogButton({ icon: Icon, label, has_label = false, title, children }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={has_label ? 'button quiet small' : 'icon-button'}
        title={has_label ? undefined : label}
        onClick={() => setOpen(true)}
      >
        <Icon aria-hidden="true" />
        {has_label ? label : <span className="visually-hidden">{label}</span>}
      </button>
      <Dialog open={open} onClose={close} title={title} returnTo={opener}>
        {children(close)}
      </Dialog>
    </>
  );
}
