import type { ReactNode, RefObject } from 'react';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What has the focus again when the sheet is gone; without it, whatever had it before. */
  returnTo?: RefObject<HTMLElement | null>;
  /** The one primary act, in the head beside the title. */
  action?: ReactNode;
  width_px?: number;
  children: ReactNode;
}
