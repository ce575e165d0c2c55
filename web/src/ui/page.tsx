import { createContext, useContext, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { i18n } from '../i18n/i18n.ts';

interface PageProps {
  title: string;
  narrow?: boolean;
  /** The link to the list that the page belongs to. */
  back?: ReactNode;
  intro?: ReactNode;
  /** False where the page shows its name otherwise; the title is then for the browser tab and screen readers. */
  shows_title?: boolean;
  /** Round buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Whether a page has been shown since the client was loaded. */
let has_shown = false;

interface PageHeadingProps {
  title: string;
  className?: string | undefined;
  /** The content of the heading if it is more than the title. */
  children?: ReactNode;
}

/**
 * Sets the title of the browser tab, and focuses the heading when the page changes. The first page leaves the focus at
 * the start of the document, where the skip link is.
 */
export function PageHeading({ title, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = i18n.t('{title} · Asterism', { title });
  }, [title]);
  useEffect(() => {
    const busy = document.activeElement !== null && document.activeElement !== document.body;
    if (has_shown && !busy) heading.current?.focus({ preventScroll: true });
    has_shown = true;
  }, []);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      dir="auto"
      className={className}
      aria-label={children === undefined ? undefined : title}
    >
      {children ?? title}
    </h1>
  );
}

/** Whether a page is open beside its list: their layout is the main landmark. */
export const InPane = createContext(false);

/** The main landmark of a page, or its content in a layout that is one. */
export function Main({ className, children }: { className: string; children: ReactNode }) {
  if (useContext(InPane)) return <div className={className}>{children}</div>;
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}

/** A signed-in page with its heading and actions. */
export function Page({ title, narrow = false, back, intro, shows_title = true, actions, children }: PageProps) {
  return (
    <Main className={narrow ? 'page page-narrow' : 'page'}>
      <div className="stack-small">
        <header className="page-head">
          {back}
          <PageHeading title={title} className={shows_title ? undefined : 'visually-hidden'} />
          {actions}
        </header>
        {intro === undefined ? null : <p className="soft">{intro}</p>}
      </div>
      {children}
    </Main>
  );
}
