import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { BrushCleaning, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { ConfirmDialog } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import type { MemberChat } from '../../chat/chat-message.ts';
import { clearChat } from './clear-chat.ts';
import type { Clearing } from './clear-chat.ts';

interface ClearedChat {
  readonly chat: MemberChat;
  /** The name of the other person or of the group. */
  readonly name: string;
}

/** What happens, before it does: it cannot be undone. */
function questionOf({ chat, name }: ClearedChat, what: Clearing) {
  if (what === 'delete')
    return {
      title: i18n.t('Delete this chat?'),
      text: i18n.t(
        'The chat disappears for you, with all messages up to now, on all your devices. {name} keeps them. A new message brings the chat back without the old ones.',
        { name },
      ),
      action: i18n.t('Delete chat'),
    };
  return {
    title: i18n.t('Clear this chat?'),
    text:
      'group_id' in chat
        ? i18n.t('All messages up to now disappear for you, on all your devices. The others in {name} keep them.', {
            name,
          })
        : i18n.t('All messages up to now disappear for you, on all your devices. {name} keeps them.', { name }),
    action: i18n.t('Clear chat'),
  };
}

const pathOf = (chat: MemberChat): string =>
  'thread_id' in chat ? `/messages/${chat.thread_id}` : `/messages/group/${chat.group_id}`;

/** Leaves the page of a chat that is deleted, and one that is open at a message that is gone. */
function useLeave(): (chat: MemberChat, what: Clearing) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  return async (chat, what) => {
    if (!router.state.location.pathname.endsWith(pathOf(chat))) return;
    if (what === 'delete') await navigate({ to: '/messages', replace: true });
    else await navigate({ to: '.', search: {}, replace: true });
  };
}

interface QuestionProps {
  cleared: ClearedChat;
  what: Clearing;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

function Question({ cleared, what, onClose, returnTo }: QuestionProps) {
  const queries = useQueryClient();
  const user_id = useMe()?.id;
  const leave = useLeave();
  const run = async () => {
    await clearChat(queries, cleared.chat, what, user_id);
    showToast(what === 'delete' ? i18n.t('Chat deleted.') : i18n.t('Chat cleared.'));
    await leave(cleared.chat, what);
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      returnTo={returnTo}
      {...questionOf(cleared, what)}
      onConfirm={() => void run().catch((error: unknown) => showToast(describeProblem(error)))}
    />
  );
}

/**
 * The items of a chat's menu that clear and delete it for its reader, and the confirmation that they open.
 * @param cleared undefined where the reader can do neither
 */
export function useClearing(cleared: ClearedChat | undefined): {
  items: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
  dialog: ReactNode;
} {
  const [asks, ask] = useState<Clearing>();
  const from = useRef<HTMLElement>(null);
  if (cleared === undefined) return { items: () => null, dialog: null };
  const open = (what: Clearing, returnTo: RefObject<HTMLElement | null>) => {
    from.current = returnTo.current;
    ask(what);
  };
  return {
    items: (returnTo) => (
      <>
        <DropdownMenu.Item className="menu-item" onSelect={() => open('clear', returnTo)}>
          <BrushCleaning aria-hidden="true" />
          {i18n.t('Clear chat')}
        </DropdownMenu.Item>
        {'thread_id' in cleared.chat ? (
          <DropdownMenu.Item className="menu-item" onSelect={() => open('delete', returnTo)}>
            <Trash2 aria-hidden="true" />
            {i18n.t('Delete chat')}
          </DropdownMenu.Item>
        ) : null}
      </>
    ),
    dialog:
      asks === undefined ? null : (
        <Question cleared={cleared} what={asks} onClose={() => ask(undefined)} returnTo={from} />
      ),
  };
}
