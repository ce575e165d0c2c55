import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Page } from './page.tsx';

interface SectionLayoutProps {
  title: string;
  /** Above the navigation: actions that all pages of the section share. */
  lead?: ReactNode;
  /** The navigation: links of class `chip`. */
  children: ReactNode;
}

/** The frame of a section's pages, with the navigation between them. */
export function SectionLayout({ title, lead, children }: SectionLayoutProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the navigation may be wider than the page: the current link is scrolled into view, also after a count
  // beside it is loaded, or the window has become narrower.
  useEffect(() => {
    const way = nav.current;
    if (way === null) return;
    const observer = new ResizeObserver(() =>
      way.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    );
    for (const element of [way, ...way.children]) observer.observe(element);
    return () => observer.disconnect();
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
