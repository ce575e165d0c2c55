import type { Outbox } from './outbox.ts';
import type { ChatPlace } from './chat-place.ts';
import type { ShownMessage } from './chat-message.ts';
import type { MessageListProps } from './list/message-list.tsx';
import { useEntered } from './use-messages.ts';
import { useShownChanges, useUnsent } from './use-unsent.ts';

interface ChatOptions {
  place: ChatPlace;
  list: MessageListProps['list'];
  /** The sent messages, newest first. */
  sent: readonly ShownMessage[];
  /** The message at which the chat is opened; without it, at the newest. */
  at: string | undefined;
  /** Opens the chat at another message, or at the newest. */
  enter: (at: string | undefined) => unknown;
}

interface OpenChat {
  /** The sent messages, with the changes of the reader that are not sent yet. */
  messages: readonly ShownMessage[];
  outbox: Outbox | undefined;
  /** For the list of messages. */
  shown: Pick<MessageListProps, 'list' | 'messages' | 'unsent' | 'outbox' | 'entered'> & {
    onEnter: (message_id: string) => void;
  };
}

/** An open chat: its messages, what is not sent yet, and where it was opened. */
export function useChat({ place, list, sent, at, enter }: ChatOptions): OpenChat {
  const { unsent, changes, outbox } = useUnsent(place);
  const entered = useEntered(at, unsent.length > 0, () => enter(undefined));
  const messages = useShownChanges(sent, changes);
  const onEnter = (message_id: string) => void enter(message_id);
  return { messages, outbox, shown: { list, messages, unsent, outbox, entered, onEnter } };
}
