import type { ReactNode } from 'react';
import { EmptyState, Failure } from '../empty-state.tsx';
import { Main, Page } from '../page.tsx';
import { describeProblem, isMissing } from './problem.ts';

interface MissingPageProps {
  /** Why the thing could not be loaded; null if the reader has none like it. */
  error: unknown;
  onRetry: () => void;
  /** The arrow of the page, if it could not be loaded. */
  back: ReactNode;
  /** What the page would have shown, in a word. */
  what: string;
  /** The title and the explanation if there is no such thing. */
  title: string;
  text: string;
  /** The link to where the reader can go on. */
  children: ReactNode;
}

/** The page of a thing that does not exist for the reader, or that could not be loaded. */
export function MissingPage({ error, onRetry, back, what, title, text, children }: MissingPageProps) {
  if (error === null || isMissing(error))
    return (
      <Main className="page page-narrow">
        <EmptyState title={title} text={text} level={1}>
          {children}
        </EmptyState>
      </Main>
    );
  return (
    <Page title={what} back={back} narrow>
      <Failure text={describeProblem(error)} onRetry={onRetry} />
    </Page>
  );
}
