import { useEffect, useMemo, useRef } from 'react';
import { nameMedia } from '../../files/file-text.ts';
import { keepPictures } from '../../files/lightbox/keep-pictures.ts';
import { isShown } from '../../files/lightbox/pictures.ts';
import type { ChatPictures, LightboxPicture } from '../../files/lightbox/pictures.ts';
import type { ShownMessage } from '../chat-message.ts';

/** What the lightbox needs of a message. */
type Pictured = Pick<ShownMessage, 'files' | 'mine' | 'by' | 'created_at'>;

interface Growing {
  readonly isPending: boolean;
  readonly isError: boolean;
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

/** @returns the time of the oldest loaded message, before which nothing is known; undefined if none was loaded */
function loadedFrom(messages: readonly Pictured[], { isPending, isError, hasNextPage }: Growing): string | undefined {
  if (isPending || isError) return undefined;
  return hasNextPage ? messages.at(-1)?.created_at : '';
}

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
      keep: (pictures) => {
        const from = loadedFrom(latest.current.messages, latest.current.list);
        return from === undefined ? pictures : keepPictures(pictures, picturesOf(latest.current.messages), from);
      },
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
