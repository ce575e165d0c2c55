import type { ReactNode } from 'react';
import { Net } from './brand/tag-sky.tsx';
import { PageHeading } from './page.tsx';
import { i18n } from '../i18n/i18n.ts';

interface EmptyStateProps {
  /** Some three words. */
  title: string;
  /** One line. */
  text?: ReactNode;
  /** The one act that helps: a link or a button. */
  children?: ReactNode;
  /** The level of its heading among those of the page; 1 where nothing else is there. */
  level?: 1 | 2 | 3;
}

/** What stands where a list would be that has nothing in it. */
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
  /** What went wrong, in words for people. */
  text: string;
  onRetry: () => void;
}

/** What stands where a list would be that could not be fetched. */
export function Failure({ text, onRetry }: FailureProps) {
  return (
    <div className="notice cluster" data-tone="danger" role="alert">
      <p style={{ flex: '1 1 12rem' }}>{text}</p>
      <button type="button" className="btn quiet small" onClick={onRetry}>
        {i18n.t('Try again')}
      </button>
    </div>
  );
}
