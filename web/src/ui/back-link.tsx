import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { i18n } from '../i18n/i18n.ts';

/** The arrow before the title of a page that belongs to one list, such as a group: to that list, at every size. */
export function BackLink({ children, ...link }: Pick<LinkProps, 'to' | 'search'> & { children: ReactNode }) {
  return (
    <Link {...link} className="ib back-link">
      <ArrowLeft aria-hidden="true" />
      <span className="visually-hidden">{children}</span>
    </Link>
  );
}

/**
 * The same on a phone only, for every other page below a tab, which a rail or many other pages lead to: back to the one
 * that the reader came from.
 * @param to the destination for a reader who opened the page directly
 */
export function GoBack({ to }: Pick<LinkProps, 'to'>) {
  const { history } = useRouter();
  const can_go_back = useCanGoBack();
  if (!can_go_back)
    return (
      <Link to={to} className="ib back-link narrow">
        <ArrowLeft aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Back')}</span>
      </Link>
    );
  return (
    <button type="button" className="ib back-link narrow" onClick={() => history.back()}>
      <ArrowLeft aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Back')}</span>
    </button>
  );
}
