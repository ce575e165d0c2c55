import { Forward } from 'lucide-react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { AlbumView } from './album-view.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { isEmojiOnly } from '../../../ui/text/emoji-only.ts';
import type { ShownMessage } from '../chat-message.ts';
import { excerptOf } from '../formatting/excerpt.ts';
import { CardsBelow } from '../../link-cards/cards-below.tsx';
import { MessageRichText } from '../formatting/message-text.tsx';

export interface QuotedProps {
  /** The message that this one replies to, if it is loaded. */
  quoted: ShownMessage | undefined;
  /** Scrolls to that message; undefined where it cannot be reached. */
  onQuoted?: (() => void) | undefined;
}

/** The text of a message that another one replies to. */
export function Quote({ message, title }: { message: ShownMessage | undefined; title?: string }) {
  return (
    <span className="quote">
      <b dir="auto">{title ?? (message?.mine ? i18n.t('You') : (message?.by?.name ?? i18n.t('An older message')))}</b>
      {message === undefined ? null : (
        <span className="cut" dir="auto">
          {excerptOf(message)}
        </span>
      )}
    </span>
  );
}

/** The quoted text, with a link to its message. */
function QuoteLink({ message, onGo }: { message: ShownMessage | undefined; onGo: (() => void) | undefined }) {
  if (onGo === undefined) return <Quote message={message} />;
  return (
    <button type="button" className="quote-link" onClick={onGo}>
      <span className="visually-hidden">{i18n.t('In reply to')} </span>
      <Quote message={message} />
    </button>
  );
}

/** A mark that the text may be somebody else's; the original author is not disclosed. */
export function Forwarded() {
  return (
    <span className="msg-forwarded">
      <Forward aria-hidden="true" size={14} />
      {i18n.t('Forwarded')}
    </span>
  );
}

/** Whether a message is a voice message, whose player has room for the time of the message. */
export const isVoice = ({ body, files }: Pick<ShownMessage, 'body' | 'files'>): boolean =>
  body === '' && files.length === 1 && files[0]?.kind === 'audio';

/** Loaded where the service can transcribe. */
const VoiceTranscript = lazyRouteComponent(() => import('./voice-transcript.tsx'), 'VoiceTranscript');

interface MessageContentProps extends QuotedProps {
  message: ShownMessage;
  /** The time of a voice message. */
  stamp: ReactNode;
}

/** The text of a message; a few emoji alone are shown large. */
function MessageText({ body, mentions }: Pick<ShownMessage, 'body' | 'mentions'>) {
  if (!isEmojiOnly(body)) return <MessageRichText body={body} mentions={mentions} />;
  return <p className="msg-emoji">{body}</p>;
}

/** What a bubble contains: the quoted message, files and text. */
export function MessageContent({ message, quoted, onQuoted, stamp }: MessageContentProps) {
  const { by, mine, body, mentions, files, forwarded, reply_to, created_at } = message;
  const [file] = files;
  return (
    <>
      {forwarded ? <Forwarded /> : null}
      {reply_to ? <QuoteLink message={quoted} onGo={onQuoted} /> : null}
      {files.length === 0 ? null : (
        <div className="msg-media">
          <AlbumView files={files} by={mine ? undefined : by?.name} at={created_at} stamp={stamp} />
          {file?.kind === 'audio' && file.transcribable ? (
            <Suspense fallback={null}>
              <VoiceTranscript file={file} />
            </Suspense>
          ) : null}
        </div>
      )}
      {body === '' ? null : <MessageText body={body} mentions={mentions} />}
      <CardsBelow text={body} />
      {body === '' && files.length === 0 ? (
        <span className="msg-gone">{i18n.t('File no longer available')}</span>
      ) : null}
    </>
  );
}
