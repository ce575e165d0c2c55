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
  // On a phone the way may be wider than the page: what is shown is brought into sight, also when a count beside a word comes later.
  useEffect(() => {
    const way = nav.current;
    if (way === null) return;
    const observer = new ResizeObserver(() =>
      way.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    );
    for (const chip of way.children) observer.observe(chip);
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
