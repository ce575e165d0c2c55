import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { ArrowLeft, Phone, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStartCall } from '../../data/start-call.ts';
import type { Targets } from '../../data/start-call.ts';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem, isMissing } from '../../ui/problems/problem.ts';
import { MessagesSkeleton } from '../chat/messages-skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';

function BackToChats({ to }: { to: string }) {
  return (
    <span className="back">
      <Link to={to} className="icon-button">
        <ArrowLeft aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Back to your chats')}</span>
      </Link>
    </span>
  );
}

/** The header of a chat that is loading, with a way back. */
function UnknownHeader() {
  return (
    <header className="thread-bar">
      <BackToChats to="/messages" />
      <h1 className="visually-hidden">{i18n.t('Chat')}</h1>
    </header>
  );
}

interface ChatHeaderProps {
  /** The address of the list that contains the chat. */
  back: string;
  title: string;
  detail: ReactNode;
  picture: ReactNode;
  /** The page about them, which their picture and name open. */
  about?: Pick<LinkProps, 'to' | 'params'> | undefined;
  children?: ReactNode;
}

/** The peer or title of a chat, with its menu. */
export function ChatHeader({ back, title, detail, picture, about, children }: ChatHeaderProps) {
  const who = (
    <>
      {picture}
      <div className="body">
        <PageHeading key={title} title={title} />
        <p dir="auto">{detail}</p>
      </div>
    </>
  );
  return (
    <header className="thread-bar">
      <BackToChats to={back} />
      {about === undefined ? (
        who
      ) : (
        <Link {...about} className="thread-who">
          {who}
        </Link>
      )}
      {children}
    </header>
  );
}

interface CallButtonsProps {
  target: Targets[number];
  /** Who is called. */
  name: string;
  /** The label of the button for an audio call. */
  audio_label: string;
  /** Whether there is nobody to call. */
  is_off?: boolean;
}

/** The buttons that start a call: with video, and without. */
export function CallButtons({ target, name, audio_label, is_off = false }: CallButtonsProps) {
  const audio = useStartCall('audio');
  const video = useStartCall('video');
  const is_disabled = is_off || audio.isPending || video.isPending;
  const dial = (call: typeof audio) => {
    if (!is_disabled) call.mutate([target]);
  };
  return (
    <>
      <button type="button" className="icon-button" aria-disabled={is_disabled} onClick={() => dial(video)}>
        <Video aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Video call with {name}', { name })}</span>
      </button>
      <button type="button" className="icon-button" aria-disabled={is_disabled} onClick={() => dial(audio)}>
        <Phone aria-hidden="true" />
        <span className="visually-hidden">{audio_label}</span>
      </button>
    </>
  );
}

/** The placeholder while a chat is fetched for the first time. */
export function ChatLoading({ what }: { what: string }) {
  return (
    <>
      <UnknownHeader />
      <div className="talk">
        <div className="talk-in">
          <MessagesSkeleton what={what} />
        </div>
      </div>
    </>
  );
}

interface ChatErrorProps {
  /** Null when the service answered that the chat does not exist. */
  error: unknown;
  onRetry: () => void;
  /** The possible reason, in one sentence. */
  text: string;
}

/** Explains why a chat cannot be shown, and what to do. */
export function ChatError({ error, onRetry, text }: ChatErrorProps) {
  if (error !== null && !isMissing(error)) {
    return (
      <>
        <UnknownHeader />
        <div className="chat-error">
          <Failure text={describeProblem(error)} onRetry={onRetry} />
        </div>
      </>
    );
  }
  return (
    <div className="chat-error" role="status">
      <h1 className="visually-hidden">{i18n.t('Closed chat')}</h1>
      <EmptyState title={i18n.t('This chat is closed')} text={text}>
        <Link to="/messages" className="button primary">
          {i18n.t('Your chats')}
        </Link>
      </EmptyState>
    </div>
  );
}
