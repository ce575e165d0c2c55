import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

/** The way from a page to the list that it is in. */
export function BackLink({ children, ...link }: Pick<LinkProps, 'to' | 'search'> & { children: ReactNode }) {
  return (
    <Link {...link} className="back-link">
      <ArrowLeft aria-hidden="true" size={16} />
      {children}
    </Link>
  );
}
