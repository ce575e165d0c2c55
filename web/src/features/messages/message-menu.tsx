import type { DirectMessage } from '@asterism/sdk';
import { Copy, Flag, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { ReportDialog } from '../blocks/report-dialog.tsx';
import type { MessageAct } from '../chat/bubble.tsx';
import type { ShownMessage } from '../chat/chat-message.ts';
import { useDeleteMessage } from './message-acts.ts';

/** Takes the words of a message along. */
export function copyAct(message: ShownMessage): MessageAct {
  return {
    label: 'Copy',
    icon: <Copy aria-hidden="true" />,
    onSelect: () => {
      navigator.clipboard.writeText(message.body).then(
        () => showToast('Copied.'),
        () => showToast('Your browser did not let it be copied. Select the words instead.'),
      );
    },
  };
}

interface Asked {
  readonly id: string;
  readonly mine: boolean;
}

/** What can be done about a direct message: copied, taken back by whoever wrote it, reported by the other. */
export function useMessageActs(
  items: readonly DirectMessage[],
  peer_id: string,
): { actsOf: (message: ShownMessage) => readonly MessageAct[]; dialog: ReactNode } {
  const remove = useDeleteMessage();
  const returnTo = useRef<HTMLElement>(null);
  const [asked, ask] = useState<Asked>();
  const actsOf = useCallback((message: ShownMessage): readonly MessageAct[] => {
    const { id, mine, body } = message;
    const onSelect = (from: RefObject<HTMLElement | null>) => {
      returnTo.current = from.current;
      ask({ id, mine });
    };
    const own = mine
      ? { label: 'Delete', icon: <Trash2 aria-hidden="true" />, onSelect }
      : { label: 'Report this message', icon: <Flag aria-hidden="true" />, onSelect };
    return body === '' ? [own] : [copyAct(message), own];
  }, []);
  const dialog = useMemo(() => {
    const close = { onClose: () => ask(undefined), returnTo };
    const message = items.find(({ id }) => id === asked?.id);
    if (asked === undefined || message === undefined) return null;
    return message.sender.id !== peer_id ? (
      <ConfirmDialog
        {...close}
        open
        title="Delete it?"
        text="It goes for both of you. That something was written stays to be seen."
        action="Delete"
        onConfirm={() => remove.mutate(message)}
      />
    ) : (
      <ReportDialog {...close} open target={{ type: 'message', id: message.id, name: 'this message' }} />
    );
  }, [asked, items, peer_id, remove]);
  return { actsOf, dialog };
}
