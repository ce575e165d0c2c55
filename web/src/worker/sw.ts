/// <reference lib="webworker" />
/** The service worker: shows pushes, handles clicks on them, renews the subscription, takes what is shared, and serves the client offline. */
import { markAppBadge } from './app-badge.ts';
import { applyStoredLanguage } from './language.ts';
import { storeProof, readProof } from './device-proof.ts';
import { answerMapRequest } from './map-tiles.ts';
import { noticeOf, readPush, tagOf } from './notices.ts';
import type { NoticeData } from './notices.ts';
import type { Push } from './push-text.ts';
import { answerShare } from './share-target.ts';
import { answerShell, dropOldShells, cacheShell } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;

/** Messages to pages. */
export type WorkerMessage = { type: 'push'; push: Push } | { type: 'open'; path: string };

const BASE = '/app';

/** The open windows of this client, visible ones first. */
async function findWindows(): Promise<WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ours = windows.filter(({ url }) => new URL(url).pathname.startsWith(`${BASE}/`));
  return ours.sort((one, other) => Number(other.focused) - Number(one.focused));
}

function postMessage(window: WindowClient, message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's clients are of its own origin
  window.postMessage(message);
}

async function show(push: Push): Promise<void> {
  await applyStoredLanguage();
  const { title, options } = noticeOf(push);
  await self.registration.showNotification(title, options);
}

async function closeNotices(tag: string): Promise<void> {
  for (const notice of await self.registration.getNotifications({ tag })) notice.close();
}

/** Shows a push, unless a visible page shows it itself. */
async function handlePush(push: Push): Promise<void> {
  const windows = await findWindows();
  for (const window of windows) postMessage(window, { type: 'push', push });
  const is_seen = windows.some(({ focused, visibilityState }) => focused && visibilityState === 'visible');
  // A ring that has ended stops everywhere, whether a page is visible or not.
  if (push.type === 'call.settled') await closeNotices(tagOf(push));
  if (is_seen) return;
  await show(push);
  // An open page shows the number itself.
  if (windows.length === 0 && push.type !== 'call.settled') await markAppBadge();
}

/** Opens a page in an existing window, but not in one with an ongoing call. */
async function open(path: string): Promise<void> {
  const windows = await findWindows();
  const free = windows.find(({ url }) => !new URL(url).pathname.startsWith(`${BASE}/call/`) || url.endsWith(path));
  if (free === undefined) {
    await self.clients.openWindow(`${BASE}${path}`);
    return;
  }
  postMessage(free, { type: 'open', path });
  await free.focus();
}

/** Sends a request in the name of this device. @returns whether it succeeded, or was no longer necessary */
async function ask(path: string, body: object): Promise<boolean> {
  const response = await fetch(`/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  return response !== undefined && (response.ok || response.status === 409);
}

async function decline(join_code: string): Promise<void> {
  const device = await readProof();
  if (device !== undefined && (await ask('/push-token/decline', { device, join_code }))) return;
  // The page can: it has the session, and shows errors.
  await open(`/j/${join_code}`);
}

async function press(notice: Notification, action: string): Promise<void> {
  notice.close();
  const { path, join_code } = notice.data as NoticeData;
  if (action === 'decline' && join_code !== undefined) await decline(join_code);
  // A click outside of its buttons opens a ringing call without answering it; it keeps ringing in the page.
  else await open(action === '' && join_code !== undefined ? `/j/${join_code}` : path);
}

/** The subscription has expired or was replaced by the browser: the new one is registered with the service. */
async function renew(event: PushSubscriptionChangeEvent): Promise<void> {
  const device = await readProof();
  const { oldSubscription: old } = event;
  const key = old?.options.applicationServerKey;
  const renewed =
    event.newSubscription ??
    (key && (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  // Without a replacement, the device is registered again when a page is next opened.
  if (device === undefined || !renewed) return;
  if (await ask('/push-token/renewal', { device, subscription: renewed.toJSON() })) await storeProof(renewed);
}

// A new worker takes over at once: its predecessor has no state that it would need.
self.addEventListener('install', (event) => event.waitUntil(Promise.all([cacheShell(), self.skipWaiting()])));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), self.clients.claim()])));
self.addEventListener('fetch', (event) => {
  const answer = answerShare(event) ?? answerShell(event) ?? answerMapRequest(event);
  if (answer !== undefined) event.respondWith(answer);
});
self.addEventListener('push', (event) => event.waitUntil(handlePush(readPush(event.data?.text()))));
self.addEventListener('notificationclick', (event) => event.waitUntil(press(event.notification, event.action)));
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as PushSubscriptionChangeEvent).waitUntil(renew(event as PushSubscriptionChangeEvent)),
);
