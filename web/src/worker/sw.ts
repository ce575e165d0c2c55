/// <reference lib="webworker" />
/** The service worker: shows pushes, answers presses on them, keeps the subscription, and opens the client without a network. */
import { speakKeptLanguage } from './language.ts';
import { keepProof, readProof } from './device-proof.ts';
import { noticeOf, readPush, tagOf } from './notices.ts';
import type { NoticeData } from './notices.ts';
import type { Push } from './push-text.ts';
import { answerShell, dropOldShells, keepShell } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;

/** What a page hears from here. */
export type WorkerMessage = { type: 'push'; push: Push } | { type: 'open'; path: string };

const BASE = '/app';

/** The open windows of this client, those that are looked at first. */
async function findWindows(): Promise<WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ours = windows.filter(({ url }) => new URL(url).pathname.startsWith(`${BASE}/`));
  return ours.sort((one, other) => Number(other.focused) - Number(one.focused));
}

function tell(window: WindowClient, message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's clients are of its own origin
  window.postMessage(message);
}

async function show(push: Push): Promise<void> {
  await speakKeptLanguage();
  const { title, options } = noticeOf(push);
  await self.registration.showNotification(title, options);
}

async function closeNotices(tag: string): Promise<void> {
  for (const notice of await self.registration.getNotifications({ tag })) notice.close();
}

/** Shows a push, unless a page that is looked at shows it itself. */
async function takePush(push: Push): Promise<void> {
  const windows = await findWindows();
  for (const window of windows) tell(window, { type: 'push', push });
  const is_seen = windows.some(({ focused, visibilityState }) => focused && visibilityState === 'visible');
  // A ring that is over stops ringing everywhere, whoever looks.
  if (push.type === 'call.settled') await closeNotices(tagOf(push));
  if (!is_seen) await show(push);
}

/** Opens a page in a window that is there already, but in none in which a call goes on. */
async function open(path: string): Promise<void> {
  const windows = await findWindows();
  const free = windows.find(({ url }) => !new URL(url).pathname.startsWith(`${BASE}/call/`) || url.endsWith(path));
  if (free === undefined) {
    await self.clients.openWindow(`${BASE}${path}`);
    return;
  }
  tell(free, { type: 'open', path });
  await free.focus();
}

/** Asks the service in the name of this device. @returns whether it was taken, or was settled before */
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
  // The page can: it holds the session, and shows what goes wrong.
  await open(`/j/${join_code}`);
}

async function press(notice: Notification, action: string): Promise<void> {
  notice.close();
  const { path, join_code } = notice.data as NoticeData;
  if (action === 'decline' && join_code !== undefined) await decline(join_code);
  // Pressed beside its buttons, a ring is looked at and not yet answered: it goes on ringing in the page.
  else await open(action === '' && join_code !== undefined ? `/j/${join_code}` : path);
}

/** The subscription has ended or was replaced by the browser: the service is told of the new one. */
async function renew(event: PushSubscriptionChangeEvent): Promise<void> {
  const device = await readProof();
  const { oldSubscription: old } = event;
  const key = old?.options.applicationServerKey;
  const renewed =
    event.newSubscription ??
    (key && (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  // Without one to replace it, the device is registered again when a page is next opened.
  if (device === undefined || !renewed) return;
  if (await ask('/push-token/renewal', { device, subscription: renewed.toJSON() })) await keepProof(renewed);
}

// A new worker serves at once: it holds nothing that the one before has begun.
self.addEventListener('install', (event) => event.waitUntil(Promise.all([keepShell(), self.skipWaiting()])));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([dropOldShells(), self.clients.claim()])));
self.addEventListener('fetch', (event) => {
  const answer = answerShell(event);
  if (answer !== undefined) event.respondWith(answer);
});
self.addEventListener('push', (event) => event.waitUntil(takePush(readPush(event.data?.text()))));
self.addEventListener('notificationclick', (event) => event.waitUntil(press(event.notification, event.action)));
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as PushSubscriptionChangeEvent).waitUntil(renew(event as PushSubscriptionChangeEvent)),
);
