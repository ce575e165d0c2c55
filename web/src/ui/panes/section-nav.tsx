import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { scrollSideways } from '../scroll-sideways.ts';

/** The navigation between the pages of a section. @param children links of class `chip` */
export function SectionNav({ label, children }: { label: string; children: ReactNode }) {
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
    <nav ref={nav} className="chips" onWheel={scrollSideways} aria-label={label}>
      {children}
    </nav>
  );
}
