import { useQueryClient } from '@tanstack/react-query';
import { MailOpen, MailPlus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { sdk } from '../../../asterism.ts';
import type { ChatSettings } from '../../../data/chat-settings.ts';
import { refetchMessageCounts } from '../../../data/queries/message-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showGroupRead } from '../../chat/chat-queries.ts';
import { useSettings } from '../chat-menu.tsx';
import type { OwnChatEntry } from './chat-entries.ts';

/** Marks a chat as read up to its newest message. */
function useRead(): (entry: OwnChatEntry) => Promise<void> {
  const queries = useQueryClient();
  return async (entry) => {
    const { last_message, unread_count } = entry.kind === 'thread' ? entry.thread : entry.chat;
    if (last_message === null || unread_count === 0) return;
    const body = { up_to_id: last_message.id };
    if (entry.kind === 'thread') await sdk.dm.readThread({ path: { thread_id: entry.thread.id }, body });
    else {
      const { id: group_id } = entry.chat.group;
      await sdk.chats.readGroupChat({ path: { group_id }, body });
      showGroupRead(queries, group_id, { unread_count: 0, unread_mentions: 0 });
    }
    await refetchMessageCounts(queries);
  };
}

/** The item of a chat's menu that marks it as read or as unread. */
export function ReadItem({ entry, settings }: { entry: OwnChatEntry; settings: ChatSettings }) {
  const read = useRead();
  const set = useSettings(entry.kind === 'thread' ? { thread_id: entry.thread.id } : { group_id: entry.chat.group.id });
  const is_unread = entry.unread > 0;
  const onSelect = () => {
    if (!is_unread) return set({ marked_unread: true });
    if (settings.marked_unread) set({ marked_unread: false });
    read(entry).catch((error: unknown) => showToast(describeProblem(error)));
  };
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      {is_unread ? <MailOpen aria-hidden="true" /> : <MailPlus aria-hidden="true" />}
      {is_unread ? i18n.t('Mark as read') : i18n.t('Mark as unread')}
    </DropdownMenu.Item>
  );
}
