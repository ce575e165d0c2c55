import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { i18n } from '../i18n/i18n.ts';

interface BackLinkProps extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  /** Whether a wide window shows the list beside the page: the arrow is then for a phone only. */
  is_beside_list?: boolean;
  children: ReactNode;
}

/** The arrow before the title of a page that belongs to one list, such as a widget: to that list. */
export function BackLink({ is_beside_list = false, children, ...link }: BackLinkProps) {
  return (
    <Link {...link} className={is_beside_list ? 'icon-button back-link narrow' : 'icon-button back-link'}>
      <ArrowLeft aria-hidden="true" />
      <span className="visually-hidden">{children}</span>
    </Link>
  );
}

/**
 * The arrow before the title of any other page below a tab, on a phone only: back to the page that the reader came from.
 * @param to the destination for a reader who opened the page directly
 */
export function GoBack({ to }: Pick<LinkProps, 'to'>) {
  const { history } = useRouter();
  const can_go_back = useCanGoBack();
  if (!can_go_back)
    return (
      <Link to={to} className="icon-button back-link narrow">
        <ArrowLeft aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Back')}</span>
      </Link>
    );
  return (
    <button type="button" className="icon-button back-link narrow" onClick={() => history.back()}>
      <ArrowLeft aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Back')}</span>
    </button>
  );
}
