import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Page } from './page.tsx';

interface SectionLayoutProps {
  title: string;
  /** What stands above the way between the pages: the acts that all of them share. */
  lead?: ReactNode;
  /** The way: links of class `chip`. */
  children: ReactNode;
}

/** The frame of pages that belong together, with the way between them. */
export function SectionLayout({ title, lead, children }: SectionLayoutProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the way may be wider than the page: what is shown is brought into sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  return (
    <Page title={title}>
      <div className="sections">
        {lead}
        <nav ref={nav} className="chips" aria-label={title}>
          {children}
        </nav>
        <div className="stack">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
