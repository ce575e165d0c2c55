import type { ReactNode, RefObject } from 'react';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The element that gets the focus when the sheet is closed; by default the one that had it before. */
  returnTo?: RefObject<HTMLElement | null>;
  /** The one primary action, in the header beside the title. */
  action?: ReactNode;
  width_px?: number;
  /** Whether what was written is kept for the next time: nothing is asked when the sheet is closed. */
  keeps_text?: boolean;
  children: ReactNode;
}
