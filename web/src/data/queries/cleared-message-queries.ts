/** Drops what is cached of a chat that its reader has cleared; loaded when that happens. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { updateCached } from '../cache.ts';
import type { Item, List } from '../lists.ts';
import { mediaKey, pinnedKey, searchesKey } from './message-list-queries.ts';

/**
 * Ends every list under a key before an item, which is gone with all that is older.
 * @returns whether any list contained such
 */
function endLists(queries: QueryClient, queryKey: QueryKey, last_gone_id: string): boolean {
  let has_ended = false;
  updateCached<List<Item>>(queries, queryKey, (data) => {
    const at = data.pages.findIndex(({ items }) => items.some(({ id }) => id <= last_gone_id));
    if (at === -1) return data;
    has_ended = true;
    const pages = data.pages
      .slice(0, at + 1)
      .map((page, index) =>
        index < at ? page : { ...page, items: page.items.filter(({ id }) => id > last_gone_id), has_more: false },
      );
    return { pages, pageParams: data.pageParams.slice(0, at + 1) };
  });
  return has_ended;
}

/**
 * Drops what is cached of the messages of a chat that its reader has cleared, also where it is not shown.
 * @param messages the key of the messages of the chat
 * @param up_to_id the last cleared message
 */
export function dropCleared(queries: QueryClient, chat_id: string, messages: QueryKey, up_to_id: string): void {
  if (!endLists(queries, messages, up_to_id)) return;
  void queries.invalidateQueries({ queryKey: messages });
  for (const key of [[...pinnedKey, chat_id], [...mediaKey, chat_id], searchesKey]) {
    queries.removeQueries({ queryKey: key, type: 'inactive' });
    void queries.invalidateQueries({ queryKey: key });
  }
}
