import { useQueryClient } from '@tanstack/react-query';
import { MailOpen, MailPlus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ChatSettings } from '../../../data/chat-settings.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { useSettings } from '../chat-menu.tsx';
import { readChat } from '../message-mutations.ts';
import type { OwnChatEntry } from './chat-entries.ts';

/** The item of a chat's menu that marks it as read or as unread. */
export function ReadItem({ entry, settings }: { entry: OwnChatEntry; settings: ChatSettings }) {
  const queries = useQueryClient();
  const chat = entry.kind === 'thread' ? { thread_id: entry.thread.id } : { group_id: entry.chat.group.id };
  const { last_message, unread_count } = entry.kind === 'thread' ? entry.thread : entry.chat;
  const set = useSettings(chat);
  const is_unread = entry.unread > 0;
  const onSelect = () => {
    if (!is_unread) return set({ marked_unread: true });
    if (settings.marked_unread) set({ marked_unread: false });
    if (last_message === null || unread_count === 0) return;
    readChat(queries, chat, last_message.id).catch((error: unknown) => showToast(describeProblem(error)));
  };
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      {is_unread ? <MailOpen aria-hidden="true" /> : <MailPlus aria-hidden="true" />}
      {is_unread ? i18n.t('Mark as read') : i18n.t('Mark as unread')}
    </DropdownMenu.Item>
  );
}
