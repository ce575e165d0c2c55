import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeading } from '../ui/page.tsx';
import { isOffline } from '../ui/problems/problem.ts';
import { i18n } from '../i18n/i18n.ts';

/** Shown for an address that no page has. */
export function NotFound() {
  return (
    <main id="main" className="centre">
      <EmptyState
        level={1}
        title={i18n.t('Page not found')}
        text={i18n.t('The address may be mistyped, or the page was removed.')}
      >
        <Link to="/" className="button primary">
          {i18n.t('Go home')}
        </Link>
      </EmptyState>
    </main>
  );
}

/** Shown when a page has thrown, or its code could not be loaded; without a network, until there is one. */
export function PageError() {
  const [is_offline] = useState(isOffline);
  useEffect(() => {
    if (!is_offline) return undefined;
    const reload = () => location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [is_offline]);
  return (
    <main id="main" className="centre">
      <PageHeading title={i18n.t('This page can’t be shown')} />
      <p className="soft">
        {is_offline
          ? i18n.t('You are offline. Try again when you are connected.')
          : i18n.t('Something went wrong, or the connection was lost while it was loading.')}
      </p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {i18n.t('Reload')}
      </button>
    </main>
  );
}
