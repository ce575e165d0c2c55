import type { Thread } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect } from 'react';
import { sdk } from '../../../asterism.ts';
import { useList } from '../../../data/lists.ts';
import type { ListOptions } from '../../../data/lists.ts';
import { StreamContext } from '../../../data/stream.ts';
import { acknowledgeGroupChats } from '../delivery/acknowledge-groups.ts';
import type { GroupChat } from '../../chat/chat-queries.ts';
import { archivedGroupsQuery, groupChatsQuery } from '../../chat/chat-queries.ts';
import { useLatest } from '../../chat/use-unsent.ts';
import { folderKey } from '../../../data/queries/message-queries.ts';
import type { Folder } from '../../../data/queries/message-queries.ts';
import { compareEntries, settingsOfEntry } from './chat-entries.ts';
import type { ChatEntry } from './chat-entries.ts';
import { useWidgetChats } from '../widget-chats.ts';

/** The list of the threads of one folder, ordered by their newest messages. */
export const threadList = (folder: Folder): ListOptions<Thread> => ({
  queryKey: folderKey(folder),
  load: (query, signal) =>
    sdk.dm.listThreads({
      query: { ...query, ...(folder === 'archived' ? { folder: 'main', archived: true } : { folder }) },
      signal,
    }),
  // The cursor of a thread is its newest message: no thread is skipped when others move meanwhile.
  cursorOf: ({ last_message, id }) => last_message?.id ?? id,
});

/** The threads of one folder. */
export const useThreads = (folder: Folder) => useList(threadList(folder));

/** Confirms the delivery of messages of groups that came while this device was away. */
function useAcknowledgeGroups(chats: readonly GroupChat[] | undefined): void {
  const stream = useContext(StreamContext);
  const queries = useQueryClient();
  useEffect(() => {
    if (stream !== undefined && chats !== undefined) acknowledgeGroupChats(stream, queries, chats);
  }, [stream, queries, chats]);
}

/** The reader's threads and group chats: those of the list, or the archived ones. */
export function useChats(is_archived: boolean) {
  const threads = useThreads(is_archived ? 'archived' : 'main');
  const groups = useQuery(is_archived ? archivedGroupsQuery : groupChatsQuery);
  useAcknowledgeGroups(groups.data?.items);
  // A message counts from when it is written, not only when it is sent.
  const latest = useLatest();
  const entries: ChatEntry[] = [
    ...threads.items.map((thread) => ({
      kind: 'thread' as const,
      at: latest({ kind: 'thread', id: thread.id }, thread.last_message?.created_at ?? thread.active_at),
      unread: thread.unread_count || Number(thread.settings.marked_unread),
      thread,
    })),
    ...(groups.data?.items ?? []).map((chat) => ({
      kind: 'group' as const,
      at: latest({ kind: 'group', id: chat.group.id }, chat.last_message?.created_at ?? chat.active_at ?? ''),
      unread: chat.unread_count || Number(chat.settings.marked_unread),
      chat,
    })),
  ];
  return {
    threads,
    groups,
    entries: entries.filter((one) => settingsOfEntry(one)?.archived === is_archived).sort(compareEntries),
  };
}

/** All chats that are not archived, including the conversations with guests of the reader's widgets. */
export function useChatEntries() {
  const chats = useChats(false);
  const guests = useWidgetChats();
  const entries: ChatEntry[] = [
    ...chats.entries,
    ...guests.map((chat) => ({ kind: 'widget' as const, at: chat.at, unread: 0, chat })),
  ];
  return { ...chats, entries: entries.sort(compareEntries), has_guests: guests.length > 0 };
}
