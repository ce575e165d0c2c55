import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { options } from 'preact';
import { createRoot } from 'react-dom/client';
import { readSharedSession, sdk } from './asterism.ts';
import { dropEarlyAnswers } from './early-answers.ts';
import { readEarlyHome } from './features/home/home-queries.ts';
import { subscribeToWorker } from './features/push/worker-messages.ts';
import { i18n } from './i18n/i18n.ts';
import { startLanguage, useSpokenLocale } from './i18n/language.ts';
import { clearPersistedQueries } from './offline/device-storage.ts';
import { persistQueries, restoreQueries } from './offline/persisted-queries.ts';
import { createQueries } from './data/cache.ts';
import { meQuery } from './data/queries/me-query.ts';
import { registerPosition, resetStreamStart, trackReads } from './data/stream-start.ts';
import { applyLateStyles } from './app/late-styles.ts';
import { letClicksThrough } from './app/page-motion.ts';
import { preloadPages, preloadParts } from './app/pages.ts';
import { preloadFirstPage, router } from './app/router.tsx';
// The page itself contains the styles that it needs first (build/page.ts).
import './styles/parts.css';
import './styles/buttons.css';
import './styles/controls.css';
import './styles/sheets.css';
import './styles/layout.css';
import './styles/shell.css';
import './styles/lists.css';
import './styles/page-motion.css';
import './styles/forced-colors.css';
import { hideRingAfterPress } from './ui/overlay/focus-ring.ts';
import { applyTheme } from './ui/brand/theme.tsx';

// Runs effects before the next key event: typing right after opening a dialog by keyboard goes into the dialog.
options.requestAnimationFrame = queueMicrotask;
applyTheme();
preloadFirstPage();
letClicksThrough();
hideRingAfterPress();
await Promise.all([startLanguage(), applyLateStyles()]);

const queries = createQueries({
  onMobileUnverified: () => {
    const { pathname, href } = router.state.location;
    if (pathname === '/verify-mobile') return;
    void router.navigate({ to: '/verify-mobile', search: { next: href } });
  },
});

trackReads(queries);
sdk.onPosition(registerPosition);

/**
 * The session for which this device is registered: another session, such as after a new password, requires registration
 * again.
 */
let registered_for: string | undefined;

const loadDevicePush = () => import('./features/push/device-push.ts');

const readSession = () => sdk.session.get()?.session_id;
/** The session whose data this page shows; undefined while signed out. */
let shown_session = readSession();
/** Whether this page has shown a session, of which its memory may still contain something. */
let has_shown_session = shown_session !== undefined;

/** Forgets the data of the shown session. */
function clearData(): void {
  queries.clear();
  resetStreamStart();
  void clearPersistedQueries();
}

/** The page to return to after signing in again, and whether the session ended without the reader signing out here. */
function describeEnd(): { next: string | undefined; session_ended: boolean } {
  const { pathname, href, search, state } = router.state.location;
  if (/^\/(sign-in|register|magic|forgot|reset)/.test(pathname))
    return { next: (search as { next?: string }).next, session_ended: state.session_ended === true };
  if (/^\/settings\/(sessions|delete)/.test(pathname)) return { next: undefined, session_ended: false };
  return { next: pathname === '/' ? undefined : href, session_ended: true };
}

/** Clears the data of the ended session; also when another tab has ended it. */
function leaveSession(): void {
  clearData();
  shown_session = undefined;
  registered_for = undefined;
  void loadDevicePush()
    .then(({ dropDevice }) => dropDevice())
    .catch(() => undefined);
  const { next, session_ended } = describeEnd();
  void router.navigate({ to: '/sign-in', search: { next }, state: { session_ended } });
}

function enterSession(session_id: string): void {
  // Somebody signs in without signing the previous account out.
  if (shown_session !== undefined && shown_session !== session_id) clearData();
  shown_session = session_id;
  has_shown_session = true;
  if (session_id === registered_for) return;
  registered_for = session_id;
  // A registration that fails now is retried when a page is next opened.
  void loadDevicePush()
    .then(({ storeDevice }) => storeDevice())
    .catch(() => undefined);
}

/** Follows a change of the session in another tab. What belongs to another session must not be shown or stored with it. */
function followSharedSession(): void {
  const session_id = readSharedSession();
  if (session_id === undefined) leaveSession();
  else if (has_shown_session && session_id !== shown_session) {
    clearData();
    window.location.reload();
  }
}

sdk.session.onChange((pair) => {
  if (pair === undefined) leaveSession();
  else enterSession(pair.session_id);
});
// Texts of the service depend on the language of the request.
i18n.on('change', () => void queries.invalidateQueries());
subscribeToWorker(queries, (path) => void router.navigate({ href: path }));
window.addEventListener('storage', ({ key }) => {
  if (key === 'asterism.session' || key === null) followSharedSession();
});
// A page that the browser kept while another one was shown has missed what happened meanwhile.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) followSharedSession();
});

/** All pages, rendered again when the language changes. */
function Pages() {
  return <RouterProvider key={useSpokenLocale()} router={router} />;
}

/** Reads what has already come of the list of chats and of the chat that is opened first, by code that comes with them. */
async function readEarlyPage(): Promise<void> {
  if (!location.pathname.startsWith('/app/messages')) return;
  await (await import('./features/messages/chats-layout.tsx')).readEarlyChats(queries);
}

/** How long the first page waits for what is read before it, in milliseconds: its code, or a new access token, may take long. */
const MAX_EARLY_MS = 1_000;

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root.');
if (shown_session !== undefined) {
  await restoreQueries(queries, shown_session);
  const early = Promise.allSettled([readEarlyHome(queries), readEarlyPage()]);
  await Promise.race([early, new Promise((resolve) => setTimeout(resolve, MAX_EARLY_MS))]);
}
// What is stored belongs to the session that read it, even if another tab has signed somebody else in.
persistQueries(queries, () => (readSession() === shown_session ? shown_session : undefined));
// What the page showed people who are signed out before it was rendered.
const stopWaiting = router.subscribe('onRendered', () => {
  document.getElementById('welcome')?.remove();
  stopWaiting();
});
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
    dropEarlyAnswers();
    if (shown_session !== undefined) enterSession(shown_session);
    const { subscribeToUnread } = await import('./app/app-badge.ts');
    subscribeToUnread(queries);
    const { settleDevice } = await import('./features/auth/sign-out.ts');
    settleDevice(queries.getQueryData(meQuery.queryKey)?.id);
    await preloadParts();
    // From now on, files that are dropped beside all drop zones do not replace the page.
    await import('./features/files/transferred-files.ts');
    // A service worker caches the files of all pages. Without one, they are loaded before the network may be lost.
    const { openWorker } = await loadDevicePush();
    if ((await openWorker().catch(() => undefined)) === undefined) await preloadPages();
  };
  // What a page that is left, or a lost network, keeps from being loaded is loaded by the next page.
  void preload().catch(() => undefined);
}

if (document.readyState === 'complete') startLater();
else addEventListener('load', startLater, { once: true });
