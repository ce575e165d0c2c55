import type { ReactNode } from 'react';
import { Net } from './brand/tag-sky.tsx';
import { PageHeading } from './page.tsx';
import { i18n } from '../i18n/i18n.ts';

interface EmptyStateProps {
  /** About three words. */
  title: string;
  /** One line. */
  text?: ReactNode;
  /** The one useful action: a link or a button. */
  children?: ReactNode;
  /** The heading level; 1 where there is no other heading. */
  level?: 1 | 2 | 3;
}

/** The placeholder of an empty list. */
export function EmptyState({ title, text, children, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className={level === 1 ? 'empty dead-end' : 'empty'}>
      <Net name={title} />
      {level === 1 ? <PageHeading title={title} /> : <Heading>{title}</Heading>}
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </div>
  );
}

interface FailureProps {
  /** The error, as text for people. */
  text: string;
  onRetry: () => void;
}

/** The placeholder of a list that could not be loaded. */
export function Failure({ text, onRetry }: FailureProps) {
  return (
    <div className="notice cluster" data-tone="danger" role="alert">
      <p style={{ flex: '1 1 12rem' }}>{text}</p>
      <button type="button" className="button quiet small" onClick={onRetry}>
        {i18n.t('Try again')}
      </button>
    </div>
  );
}
