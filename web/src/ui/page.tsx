import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  narrow?: boolean;
  intro?: ReactNode;
  children: ReactNode;
}

/** Whether a page has been shown since the client was loaded. */
let has_shown = false;

/**
 * Names the browser tab after the page, and moves the reader's place to its heading when the page changes. The first one
 * leaves it at the beginning of the document, where the link is that skips to the content.
 */
export function PageHeading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Asterism`;
  }, [title]);
  useEffect(() => {
    const busy = document.activeElement !== null && document.activeElement !== document.body;
    if (has_shown && !busy) heading.current?.focus({ preventScroll: true });
    has_shown = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      {title}
    </h1>
  );
}

/** The main landmark of a signed-in page with its one heading. */
export function Page({ title, narrow = false, intro, children }: PageProps) {
  return (
    <main id="main" tabIndex={-1} className={narrow ? 'page page-narrow' : 'page'}>
      <header className="stack-small">
        <PageHeading title={title} />
        {intro === undefined ? null : <p className="soft">{intro}</p>}
      </header>
      {children}
    </main>
  );
}

/** Shown while something is fetched for the first time. */
export function Waiting({ what }: { what: string }) {
  return (
    <div className="centre" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="soft">{what}</span>
    </div>
  );
}
