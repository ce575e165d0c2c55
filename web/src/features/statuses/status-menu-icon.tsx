import type { Status } from '@asterism/sdk';
import { Ellipsis } from 'lucide-react';
import type { RefObject } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { i18n } from '../../i18n/i18n.ts';

export interface StatusMenuProps {
  status: Status;
  is_mine: boolean;
  trigger: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}

/** The icon of the button that opens the menu. */
export function StatusMenuIcon({ status }: { status: Status }) {
  return (
    <>
      <Ellipsis aria-hidden="true" />
      <span className="visually-hidden">
        {i18n.t('More about this post by {name}', { name: nameOf(status.author) })}
      </span>
    </>
  );
}
