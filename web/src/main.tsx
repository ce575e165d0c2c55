import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { options } from 'preact';
import { createRoot } from 'react-dom/client';
import { sdk } from './asterism.ts';
import { dropDevice, storeDevice, openWorker } from './features/push/device-push.ts';
import { followWorker } from './features/push/worker-messages.ts';
import { i18n } from './i18n/i18n.ts';
import { startLanguage, useSpokenLocale } from './i18n/language.ts';
import { clearPersistedQueries, persistQueries, restoreQueries } from './offline/persisted-queries.ts';
import { createQueries } from './queries.ts';
import { preloadPages, preloadParts } from './app/pages.ts';
import { router } from './app/router.tsx';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/controls.css';
import './styles/sheets.css';
import './styles/layout.css';
import './styles/shell.css';
import './styles/people.css';
import './styles/call.css';
import './styles/stage.css';
import './styles/lobby.css';
import { applyTheme } from './ui/brand/theme.tsx';

// Runs effects before the next key event: typing right after opening a dialog by keyboard goes into the dialog.
options.requestAnimationFrame = queueMicrotask;
applyTheme();
await startLanguage();

const queries = createQueries({
  onMobileUnverified: () => {
    const { pathname, href } = router.state.location;
    if (pathname === '/verify-mobile') return;
    void router.navigate({ to: '/verify-mobile', search: { next: href } });
  },
});

/**
 * The session for which this device is registered: another session, such as after a new password, requires registration
 * again.
 */
let registered_for: string | undefined;

/** The page to return to after signing in again; none when the reader signed out. */
function pageToReturnTo(): string | undefined {
  const { pathname, href, search } = router.state.location;
  if (/^\/(sign-in|register|magic|forgot|reset)/.test(pathname)) return (search as { next?: string }).next;
  return pathname === '/' || /^\/settings\/(sessions|delete)/.test(pathname) ? undefined : href;
}

/** Clears the data of the ended session; also when another tab has ended it. */
function leaveSession(): void {
  queries.clear();
  void clearPersistedQueries();
  registered_for = undefined;
  void dropDevice().catch(() => undefined);
  void router.navigate({ to: '/sign-in', search: { next: pageToReturnTo() } });
}

function enterSession(session_id: string | undefined): void {
  if (session_id === registered_for) return;
  registered_for = session_id;
  // A registration that fails now is retried when a page is next opened.
  if (session_id !== undefined) void storeDevice().catch(() => undefined);
}

sdk.session.onChange((pair) => {
  if (pair === undefined) leaveSession();
  else enterSession(pair.session_id);
});
// Texts of the service depend on the language of the request.
i18n.on('change', () => void queries.invalidateQueries());
followWorker(queries, (path) => void router.navigate({ href: path }));
window.addEventListener('storage', (event) => {
  if (event.key === 'asterism.session' && event.newValue === null) leaveSession();
});

/** All pages, rendered again when the language changes. */
function Pages() {
  return <RouterProvider key={useSpokenLocale()} router={router} />;
}

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root.');
const readSession = () => sdk.session.get()?.session_id;
const session_id = readSession();
if (session_id !== undefined) await restoreQueries(queries, session_id);
persistQueries(queries, readSession);
createRoot(place).render(
  <QueryClientProvider client={queries}>
    <Pages />
  </QueryClientProvider>,
);

/** Resolves once the first page is shown with its code and data. */
async function firstPageShown(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 1_000));
  while (router.state.isLoading || queries.isFetching() > 0);
}

/** Work that can wait until the first content is shown. */
function startLater(): void {
  const preload = async () => {
    // On a slow connection, other pages would compete with the first one for bandwidth.
    await firstPageShown();
    await preloadParts();
    // A service worker, if there is one, already has the files of all pages.
    if (!navigator.serviceWorker?.controller) preloadPages();
  };
  void preload();
  enterSession(readSession());
  // A browser without service workers needs a network to open the client.
  openWorker().catch(() => undefined);
}

if (document.readyState === 'complete') startLater();
else addEventListener('load', startLater, { once: true });
