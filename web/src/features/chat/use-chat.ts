import type { Outbox } from './outbox.ts';
import type { ChatPlace, ChatStart } from './chat-place.ts';
import type { ShownMessage } from './chat-message.ts';
import type { MessageListProps } from './list/message-list.tsx';
import { useEntered, useUnreadOf } from './use-messages.ts';
import { useShownChanges, useUnsent } from './use-unsent.ts';

interface ChatOptions extends ChatStart {
  place: ChatPlace;
  list: MessageListProps['list'];
  /** The sent messages, newest first. */
  sent: readonly ShownMessage[];
  unread_count?: number | undefined;
  /** Opens the chat elsewhere. */
  enter: (start: ChatStart) => unknown;
}

interface OpenChat {
  /** The sent messages, with the changes of the reader that are not sent yet. */
  messages: readonly ShownMessage[];
  outbox: Outbox | undefined;
  /** For the list of messages. */
  shown: Pick<MessageListProps, 'list' | 'messages' | 'unsent' | 'outbox' | 'entered' | 'unread_count'> & {
    onEnter: (message_id: string) => void;
  };
}

/** An open chat: its messages, what is not sent yet, and where it was opened. */
export function useChat({ place, list, sent, at, after, unread_count, enter }: ChatOptions): OpenChat {
  const { unsent, changes, outbox } = useUnsent(place);
  const entered = useEntered({ at, after, has_unsent: unsent.length > 0, goToLatest: () => enter({}) });
  const messages = useShownChanges(sent, changes);
  const shown = {
    list,
    messages,
    unsent,
    outbox,
    entered,
    unread_count: useUnreadOf(entered, unread_count),
    onEnter: (message_id: string) => void enter({ at: message_id }),
  };
  return { messages, outbox, shown };
}
