import { useMutation } from '@tanstack/react-query';
import { Reply, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import type { MessageAct } from '../chat/bubble.tsx';
import type { ShownMessage } from '../chat/chat-message.ts';
import { copyAct } from './message-menu.tsx';

interface ChatActsOptions {
  /** The owner of a group or widget takes out anything, others their own. */
  may_delete_all: boolean;
  onReply: (message: ShownMessage) => void;
  remove: (message_id: string) => Promise<unknown>;
  onRemoved: (message_id: string) => void;
}

/** What can be done about a message of a group or a widget: answered, copied, deleted. */
export function useChatActs({ may_delete_all, onReply, remove, onRemoved }: ChatActsOptions): {
  actsOf: (message: ShownMessage) => readonly MessageAct[];
  dialog: ReactNode;
} {
  const returnTo = useRef<HTMLElement>(null);
  const [asked, ask] = useState<string>();
  const work = useMutation({
    mutationFn: remove,
    onSuccess: (_, message_id) => onRemoved(message_id),
    onError: (error) => showToast(`It is still there: ${describeProblem(error)}`),
  });
  const actsOf = (message: ShownMessage): readonly MessageAct[] => [
    { label: 'Reply', icon: <Reply aria-hidden="true" />, onSelect: () => onReply(message) },
    ...(message.body === '' ? [] : [copyAct(message)]),
    ...(message.mine || may_delete_all
      ? [
          {
            label: 'Delete',
            icon: <Trash2 aria-hidden="true" />,
            onSelect: (from: { current: HTMLElement | null }) => {
              returnTo.current = from.current;
              ask(message.id);
            },
          },
        ]
      : []),
  ];
  const dialog =
    asked === undefined ? null : (
      <ConfirmDialog
        open
        onClose={() => ask(undefined)}
        returnTo={returnTo}
        title="Delete it?"
        text="It goes for everybody. That something was written stays to be seen."
        action="Delete"
        onConfirm={() => work.mutate(asked)}
      />
    );
  return { actsOf, dialog };
}
