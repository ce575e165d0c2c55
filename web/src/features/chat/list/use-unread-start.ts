import { useLayoutEffect, useState } from 'react';
import type { ChatStart } from '../chat-place.ts';
import { MAX_UNREAD } from './use-oldest-unread.ts';
import { isRemembered, useHistoryKey } from './remembered-places.ts';

/** Sorts before every message of a chat. */
const before_all = { thread: `dm_${'0'.repeat(26)}`, group: `chat_${'0'.repeat(26)}` } as const;

interface StartOptions {
  readonly kind: keyof typeof before_all;
  /** Where the address of the page opens the chat. */
  readonly search: ChatStart;
  readonly unread_count: number | undefined;
  /** Whether that was fetched since the chat was opened. */
  readonly is_counted: boolean;
  /** The last message that the reader has read; null if there is none. */
  readonly read_up_to: string | null | undefined;
  /** Stores in the address of the page after which message the chat is opened. */
  readonly onStart: (after: string) => unknown;
}

/**
 * After which message a chat is opened that has more unread messages than are loaded from its end: the last one that was
 * read. It is decided once, since messages are read from then on, and stored in the address, so that going back and
 * loading the page again lead there.
 */
export function useUnreadStart(options: StartOptions): string | undefined {
  const { kind, search, unread_count = 0, is_counted, read_up_to, onStart } = options;
  const entry = useHistoryKey();
  const [has_place] = useState(() => search.at !== undefined || search.after !== undefined || isRemembered(entry));
  const [start, setStart] = useState<string | null | undefined>(has_place ? null : undefined);
  // What is not cached cannot be opened without a connection.
  const is_far = unread_count > MAX_UNREAD && navigator.onLine;
  if (start === undefined && is_far && read_up_to !== undefined) setStart(read_up_to ?? before_all[kind]);
  else if (start === undefined && is_counted) setStart(null);
  const is_new = typeof start === 'string' && search.at === undefined && search.after === undefined;
  useLayoutEffect(() => {
    if (typeof start === 'string') void onStart(start);
    // Only once: from then on the address says it.
  }, [start]);
  const [is_stored, setStored] = useState(false);
  if (search.after !== undefined && !is_stored) setStored(true);
  return search.after ?? (is_new && !is_stored ? start : undefined);
}
