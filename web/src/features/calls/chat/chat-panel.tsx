import type { Asterism, Call } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { showInCall } from '../../chat/chat-message.ts';
import { callMessagesKey } from '../../chat/chat-queries.ts';
import { Composer, MAX_MESSAGE_FILES } from '../../chat/composer/composer.tsx';
import { MessageList } from '../../chat/list/message-list.tsx';
import { useChat } from '../../chat/use-chat.ts';
import { TypingLine, useTypists } from '../../chat/typing-line.tsx';
import { SearchSheet } from '../../messages/message-search.tsx';
import { useMessageActions } from '../../messages/use-message-actions.tsx';
import { useCallChat } from './use-call-chat.ts';

interface ChatPanelProps {
  join_code: string;
  /** The call for searching and forwarding, which guests cannot do. */
  conference_id?: string;
  /** The identity of the reader: an account or a guest. */
  reader_id: string | undefined;
  client: Asterism;
  inside: boolean;
  is_guest?: boolean;
  /** Hosts and co-hosts may delete any message, others their own. */
  is_hosting?: boolean;
  chat_history?: Call['chat_history'];
}

/** Opens the search in the chat of the current call. */
function SearchButton({ conference_id, onChoose }: { conference_id: string; onChoose: (message_id: string) => void }) {
  const [is_open, open] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="chat-search-bar">
      <button ref={button} type="button" className="icon-button" onClick={() => open(true)}>
        <Search aria-hidden="true" size={18} />
        <span className="visually-hidden">{i18n.t('Search in chat')}</span>
      </button>
      {is_open ? (
        <SearchSheet scope={{ conference_id }} onChoose={onChoose} onClose={() => open(false)} returnTo={button} />
      ) : null}
    </div>
  );
}

/** The chat of a call. */
export function ChatPanel(props: ChatPanelProps) {
  const { join_code, conference_id, reader_id, client, inside, is_guest = false, is_hosting = false } = props;
  const { chat_history } = props;
  const [at, enter] = useState<string>();
  // The chat does not exist for somebody who has not joined.
  const list = useCallChat(join_code, { enabled: inside, client, at });
  const place = useMemo(() => ({ kind: 'call' as const, id: join_code }), [join_code]);
  const typists = useTypists({ join_code }, reader_id, list.items[0]);
  const sent = useMemo(() => list.items.map((one) => showInCall(one, reader_id)), [list.items, reader_id]);
  const { messages, outbox, shown } = useChat({ place, list, sent, at, enter: (start) => enter(start.at) });
  const { rows, dialog, writing, editNewest } = useMessageActions({
    place,
    client,
    is_open: inside,
    may_delete_all: is_hosting,
    may_report: !is_guest,
    ...(conference_id === undefined ? {} : { chat: { conference_id } }),
    readers: 'everyone',
  });
  const queries = useQueryClient();
  const known_history = useRef(chat_history);
  useEffect(() => {
    if (known_history.current === chat_history) return;
    known_history.current = chat_history;
    // Earlier messages are loaded completely, or not at all.
    void queries.invalidateQueries({ queryKey: callMessagesKey(join_code) });
  }, [queries, join_code, chat_history]);
  return (
    <>
      {conference_id === undefined || list.items.length === 0 ? null : (
        <SearchButton conference_id={conference_id} onChoose={enter} />
      )}
      <MessageList
        key={at ?? 'latest'}
        {...shown}
        label={i18n.t('Chat')}
        is_group
        {...rows}
        empty={i18n.t('Everyone in the call can read this chat.')}
      />
      <TypingLine names={typists} />
      <Composer
        place={place}
        outbox={outbox}
        hint={i18n.t('Message everyone')}
        drop_hint={i18n.t('Drop files to send to everyone')}
        max_files={is_guest ? 0 : MAX_MESSAGE_FILES}
        writing={writing}
        onEditNewest={() => editNewest(messages)}
        onTyping={() => {
          // A lost typing event does not matter.
          client.callChat.setCallTyping({ path: { join_code } }).catch(() => undefined);
        }}
      />
      {dialog}
    </>
  );
}
