import type { QueryClient } from '@tanstack/react-query';
import { inboxCountQuery } from '../data/queries/inbox-queries.ts';
import { dmCountQuery } from '../data/queries/message-queries.ts';
import { groupChatsQuery } from '../features/chat/chat-queries.ts';
import { countUnreadChats } from '../features/messages/use-unread-chats.ts';
import { showAppBadge } from '../worker/app-badge.ts';

/**
 * Shows on the icon of the installed client how many messages, missed calls and voicemails are new, as the navigation has
 * read it. Nothing is left of it when the session ends, which clears what was read.
 */
export function subscribeToUnread(queries: QueryClient): void {
  let shown: number | undefined;
  const update = () => {
    const chats = countUnreadChats(
      queries.getQueryData(dmCountQuery.queryKey),
      queries.getQueryData(groupChatsQuery.queryKey),
    );
    const count = chats + (queries.getQueryData(inboxCountQuery.queryKey)?.count ?? 0);
    if (count !== shown) showAppBadge(count);
    shown = count;
  };
  update();
  queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') update();
  });
}
