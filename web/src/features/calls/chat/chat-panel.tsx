import type { Call } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sdk } from '../../../asterism.ts';
import { describeTypists, useTypists } from '../../chat/use-typists.ts';
import { ChatComposer } from './chat-composer.tsx';
import { ChatLines } from './chat-lines.tsx';
import { AttachButton, SendingList, useChatMedia } from './chat-media.tsx';
import { callChatKey, useCallChat } from './chat-queries.ts';

interface ChatPanelProps {
  join_code: string;
  user_id: string | undefined;
  inside: boolean;
  chat_history: Call['chat_history'];
}

/** What is written beside a call. */
export function ChatPanel({ join_code, user_id, inside, chat_history }: ChatPanelProps) {
  // Until one is in the call its chat does not exist for one.
  const chat = useCallChat(join_code, { enabled: inside });
  const typists = useTypists({ join_code }, user_id, chat.items[0]);
  const media = useChatMedia(join_code);
  const queries = useQueryClient();
  const known_history = useRef(chat_history);
  useEffect(() => {
    if (known_history.current === chat_history) return;
    known_history.current = chat_history;
    // What was written before one came is there all at once, or gone.
    void queries.invalidateQueries({ queryKey: callChatKey(join_code) });
  }, [queries, join_code, chat_history]);
  return (
    <>
      <ChatLines chat={chat} reader_id={user_id} />
      <p className="chat-typing soft small" aria-live="polite">
        {describeTypists(typists)}
      </p>
      <SendingList {...media} />
      <ChatComposer join_code={join_code} client={sdk}>
        <AttachButton onFiles={media.add} />
      </ChatComposer>
    </>
  );
}
