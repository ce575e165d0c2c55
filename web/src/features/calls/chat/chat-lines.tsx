import type { ChatMessage } from '@asterism/sdk';
import { ArrowDown } from 'lucide-react';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { useFollowEnd } from '../../chat/use-follow-end.ts';
import { MediaView } from '../../files/media-view.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { locale } from '../../../i18n/locale.ts';
import { authorOf, type CallChat } from './chat-queries.ts';

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
        {mine ? i18n.t('You') : authorOf(message)}
        {!mine && message.author?.guest ? ` · ${i18n.t('Guest')}` : null}{' '}
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

/** Who wrote a message: the identifier of an account or of a guest. */
const writerOf = ({ author }: ChatMessage) => author?.user?.id ?? author?.guest?.id;

/** The messages of a call, the newest at the end, which is followed while the reader is there. */
export function ChatLines({ chat, reader_id }: { chat: CallChat; reader_id: string | undefined }) {
  const messages = chat.items.toReversed();
  const [newest] = chat.items;
  const isOwn = (message: ChatMessage) => reader_id !== undefined && writerOf(message) === reader_id;
  const { scroller, content, has_new, goToEnd } = useFollowEnd({
    first: messages[0]?.id,
    last: newest?.id,
    is_own: newest !== undefined && isOwn(newest),
  });
  return (
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
              <MessageLine key={message.id} message={message} mine={isOwn(message)} />
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
  );
}
