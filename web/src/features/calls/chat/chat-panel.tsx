import type { Call, ChatMessage } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, SendHorizontal } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { FormEvent } from 'react';
import { sdk } from '../../../asterism.ts';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useDraft } from '../../chat/use-draft.ts';
import { useFollowEnd } from '../../chat/use-follow-end.ts';
import { useTypists } from '../../chat/use-typists.ts';
import { MediaView } from '../../files/media-view.tsx';
import { AttachButton, SendingList, useChatMedia } from './chat-media.tsx';
import { authorOf, callChatKey, keepChatMessage, useCallChat } from './chat-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { describeTypists } from '../../chat/use-typists.ts';
import { locale } from '../../../i18n/locale.ts';

/** How often writing is told to the others. */
const TELL_EVERY_MS = 2_500;
const MOST_LETTERS = 4_000;

function MessageLine({ message, mine }: { message: ChatMessage; mine: boolean }) {
  const at = new Date(message.created_at);
  if (message.kind === 'system')
    return (
      <li className="chat-system" dir="auto">
        {message.body}
      </li>
    );
  return (
    <li className="chat-line" data-mine={mine ? '' : undefined}>
      <span className="chat-by">
        {mine ? i18n.t('You') : authorOf(message)}{' '}
        <time dateTime={message.created_at}>
          {at.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' })}
        </time>
      </span>
      {message.file === null ? null : (
        <div className="chat-media">
          <MediaView files={[message.file]} by={mine ? undefined : authorOf(message)} />
        </div>
      )}
      {message.body === '' ? null : (
        <span className="chat-body" dir="auto">
          {message.body}
        </span>
      )}
    </li>
  );
}

function Composer({ join_code, onFiles }: { join_code: string; onFiles: (files: readonly File[]) => void }) {
  const id = useId();
  const queries = useQueryClient();
  const [text, setText] = useDraft(`call ${join_code}`);
  const told_at_ms = useRef(0);
  const text_now = useRef(text);
  text_now.current = text;
  const post = useMutation({
    mutationFn: (body: string) => sdk.calls.postCallChat({ path: { join_code }, body: { body } }),
    onSuccess: (message) => keepChatMessage(queries, join_code, message),
    onError: (error, body) => {
      // What was written is not lost: it goes back to where it can be sent again.
      setText(text_now.current || body);
      showToast(describeProblem(error));
    },
  });
  const type = (value: string) => {
    setText(value);
    if (value === '' || Date.now() - told_at_ms.current < TELL_EVERY_MS) return;
    told_at_ms.current = Date.now();
    // Nobody misses a lost "is writing".
    sdk.calls.setCallTyping({ path: { join_code } }).catch(() => undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = text.trim();
    if (body === '') return;
    setText('');
    told_at_ms.current = 0;
    post.mutate(body);
  };
  return (
    <form className="composer" onSubmit={submit}>
      <AttachButton onFiles={onFiles} />
      <label className="visually-hidden" htmlFor={id}>
        {i18n.t('Message')}
      </label>
      <div className="field-box">
        <input
          id={id}
          dir="auto"
          value={text}
          onChange={(event) => type(event.target.value)}
          maxLength={MOST_LETTERS}
          autoComplete="off"
          enterKeyHint="send"
          placeholder={i18n.t('Say something')}
        />
      </div>
      <button type="submit" className="button button-icon" disabled={text.trim() === ''}>
        <SendHorizontal aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Send')}</span>
      </button>
    </form>
  );
}

interface ChatPanelProps {
  join_code: string;
  user_id: string | undefined;
  inside: boolean;
  chat_history: Call['chat_history'];
}

/** What is written beside a call. */
export function ChatPanel({ join_code, user_id, inside, chat_history }: ChatPanelProps) {
  // Until one is in the call its chat does not exist for one.
  const chat = useCallChat(join_code, inside);
  const messages = chat.items.toReversed();
  const [newest] = chat.items;
  const typists = useTypists({ join_code }, user_id, newest);
  const media = useChatMedia(join_code);
  const queries = useQueryClient();
  const known_history = useRef(chat_history);
  useEffect(() => {
    if (known_history.current === chat_history) return;
    known_history.current = chat_history;
    // What was written before one came is there all at once, or gone.
    void queries.invalidateQueries({ queryKey: callChatKey(join_code) });
  }, [queries, join_code, chat_history]);
  const { scroller, content, has_new, goToEnd } = useFollowEnd({
    first: messages[0]?.id,
    last: newest?.id,
    is_own: newest?.author?.user?.id === user_id,
  });
  return (
    <>
      <div className="chat-box">
        <div ref={scroller} className="chat-scroll" tabIndex={0} role="log" aria-label={i18n.t('Chat')}>
          <div ref={content}>
            {chat.isError ? <p className="field-error">{describeProblem(chat.error)}</p> : null}
            {chat.isSuccess && messages.length === 0 ? (
              <p className="soft small">{i18n.t('Nothing has been written yet.')}</p>
            ) : null}
            <More list={chat} what={i18n.t('messages')} />
            <ol>
              {messages.map((message) => (
                <MessageLine key={message.id} message={message} mine={message.author?.user?.id === user_id} />
              ))}
            </ol>
          </div>
        </div>
        {has_new ? (
          <button type="button" className="btn quiet small new-pill" onClick={goToEnd}>
            <ArrowDown aria-hidden="true" />
            {i18n.t('New messages')}
          </button>
        ) : null}
      </div>
      <p className="chat-typing soft small" aria-live="polite">
        {describeTypists(typists)}
      </p>
      <SendingList {...media} />
      <Composer join_code={join_code} onFiles={media.add} />
    </>
  );
}
