import type { Person } from '@asterism/sdk';
import type { RefObject } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { useBlock } from './block-mutations.ts';
import { i18n } from '../../i18n/i18n.ts';

interface BlockDialogProps {
  person: Person;
  open: boolean;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Asks before somebody is blocked. */
export function BlockDialog({ person, ...dialog }: BlockDialogProps) {
  const block = useBlock();
  return (
    <ConfirmDialog
      {...dialog}
      title={i18n.t('Block {name}?', { name: nameOf(person) })}
      text={i18n.t(
        'You won’t be able to see, follow, call or message each other, and you stop following each other. They won’t be notified. You can unblock them in the settings.',
      )}
      action={i18n.t('Block')}
      onConfirm={() => block.mutate(person)}
    />
  );
}
