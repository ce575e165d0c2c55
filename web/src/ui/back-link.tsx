import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { i18n } from '../i18n/i18n.ts';

/** The way from a page to the list that it is in: an arrow before its title. */
export function BackLink({ children, ...link }: Pick<LinkProps, 'to' | 'search'> & { children: ReactNode }) {
  return (
    <Link {...link} className="ib back-link">
      <ArrowLeft aria-hidden="true" />
      <span className="visually-hidden">{children}</span>
    </Link>
  );
}

/**
 * The same for a page to which many others lead, on a phone: back to the one that the reader came from.
 * @param to where somebody goes who opened the page by its link
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
