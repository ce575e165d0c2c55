import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';

interface ChatHeadProps {
  /** Where the list is that the chat stands in. */
  back: string;
  title: string;
  detail: ReactNode;
  picture: ReactNode;
  children?: ReactNode;
}

/** Who is written with, and what else can be done with them. */
export function ChatHead({ back, title, detail, picture, children }: ChatHeadProps) {
  return (
    <header className="thread-bar">
      <span className="back">
        <Link to={back} className="ib">
          <ArrowLeft aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Back to your chats')}</span>
        </Link>
      </span>
      {picture}
      <div className="body">
        <PageHeading key={title} title={title} />
        <p dir="auto">{detail}</p>
      </div>
      {children}
    </header>
  );
}

/** Shown while a chat is fetched for the first time. */
export function ChatWaiting({ what }: { what: string }) {
  return (
    <>
      <h1 className="visually-hidden">{i18n.t('Chat')}</h1>
      <Skeleton rows={5} what={what} />
    </>
  );
}

interface ChatGoneProps {
  /** Null where the service has answered that there is none. */
  error: unknown;
  onRetry: () => void;
  /** Why it may be gone, in one breath. */
  text: string;
}

/** Says once why a chat cannot be shown, and what to do. */
export function ChatGone({ error, onRetry, text }: ChatGoneProps) {
  if (error !== null && !hasCode(error, 'not_found')) {
    return (
      <div className="chat-error">
        <h1 className="visually-hidden">{i18n.t('Chat')}</h1>
        <Failure text={describeProblem(error)} onRetry={onRetry} />
      </div>
    );
  }
  return (
    <div className="chat-error" role="status">
      <h1 className="visually-hidden">{i18n.t('Closed chat')}</h1>
      <EmptyState title={i18n.t('This chat is closed')} text={text}>
        <Link to="/messages" className="btn primary">
          {i18n.t('Your chats')}
        </Link>
      </EmptyState>
    </div>
  );
}
