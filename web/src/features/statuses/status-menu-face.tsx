import type { Status } from '@asterism/sdk';
import { Ellipsis } from 'lucide-react';
import type { RefObject } from 'react';
import { nameOf } from '../../ui/avatar.tsx';

export interface StatusMenuProps {
  status: Status;
  is_mine: boolean;
  trigger: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}

/** What the button shows that opens the menu. */
export function StatusMenuFace({ status }: { status: Status }) {
  return (
    <>
      <Ellipsis aria-hidden="true" />
      <span className="visually-hidden">More about this status by {nameOf(status.author)}</span>
    </>
  );
}
