import { useEffect, useMemo, useRef } from 'react';
import { nameMedia } from '../../files/file-text.ts';
import { isShown } from '../../files/lightbox/pictures.ts';
import type { ChatPictures, LightboxPicture } from '../../files/lightbox/pictures.ts';
import type { ShownMessage } from '../chat-message.ts';

/** What the lightbox needs of a message. */
type Pictured = Pick<ShownMessage, 'files' | 'mine' | 'by' | 'created_at'>;

interface Growing {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

function olderOf({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
}: Growing): ReturnType<ChatPictures['older']> {
  if (!hasNextPage) return 'none';
  if (isFetchingNextPage) return 'loading';
  return isFetchNextPageError ? 'failed' : 'ready';
}

const picturesOf = (messages: readonly Pictured[]): readonly LightboxPicture[] =>
  messages
    .toReversed()
    .flatMap(({ files, mine, by, created_at }) => nameMedia(files, mine ? undefined : by?.name, created_at))
    .filter(({ file }) => isShown(file));

/**
 * All pictures and videos of a chat, for the lightbox.
 * @param messages the loaded ones, newest first
 * @returns the same object for as long as the chat is open
 */
export function useChatPictures(messages: readonly Pictured[], list: Growing): ChatPictures {
  const older = olderOf(list);
  const latest = useRef({ messages, older, list });
  latest.current = { messages, older, list };
  const listeners = useRef(new Set<() => void>()).current;
  useEffect(() => {
    for (const listener of listeners) listener();
  }, [listeners, messages, older]);
  return useMemo(
    () => ({
      read: () => picturesOf(latest.current.messages),
      older: () => latest.current.older,
      loadOlder: () => void latest.current.list.fetchNextPage(),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
    [listeners],
  );
}
