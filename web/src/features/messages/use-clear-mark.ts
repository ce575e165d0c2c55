import { useEffect, useRef } from 'react';
import type { ChatSettings } from '../../data/chat-settings.ts';
import type { MemberChat } from '../chat/chat-message.ts';
import { useSettings } from './chat-menu.tsx';

/**
 * Removes the reader's mark as unread from a chat that they open; one that is set while it is open stays.
 * @param settings undefined until they are loaded
 */
export function useClearMark(chat: MemberChat, settings: ChatSettings | undefined): void {
  const set = useSettings(chat);
  const is_open = useRef(false);
  useEffect(() => {
    if (is_open.current || settings === undefined) return;
    is_open.current = true;
    if (settings.marked_unread) set({ marked_unread: false });
  });
}
