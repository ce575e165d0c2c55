import { sdk } from '../../asterism.ts';
import { forgetProof, storeProof } from '../../worker/device-proof.ts';
import type { NoticeData } from '../../worker/notices.ts';

/** The state of pushes to this browser. */
export type DevicePush = 'unsupported' | 'insecure' | 'unserved' | 'denied' | 'off' | 'on';

const WORKER = '/app/sw.js';
const SCOPE = '/app/';

/** Registers the service worker if necessary; undefined where that is impossible. */
export async function openWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return undefined;
  return navigator.serviceWorker.register(WORKER, { scope: SCOPE });
}

/** The current subscription of this browser, without creating one. */
async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Reads the state of pushes to this browser. */
export async function readDevicePush(): Promise<DevicePush> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  const { vapid_public_key } = await sdk.push.getPushKey();
  if (vapid_public_key === null) return 'unserved';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && (await findSubscription()) !== null ? 'on' : 'off';
}

function decodeKey(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function isSameKey(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at]);
}

/**
 * Registers the subscription, with the service's current key.
 * @param is_wanted whether to subscribe where there is no subscription, which one that has just ended leaves
 */
async function register(worker: ServiceWorkerRegistration, is_wanted: boolean): Promise<void> {
  const { vapid_public_key } = await sdk.push.getPushKey();
  if (vapid_public_key === null) throw new Error('This service does not push to browsers.');
  const key = decodeKey(vapid_public_key);
  let subscription = await worker.pushManager.getSubscription();
  if (subscription === null && !is_wanted) return;
  if (subscription !== null && !isSameKey(subscription.options.applicationServerKey, key)) {
    // Created for a key that the service no longer has: it would never receive anything.
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys = {} } = subscription.toJSON();
  const wire = { endpoint: endpoint ?? '', keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
  await sdk.push.registerPushToken({ body: { platform: 'web', subscription: wire } });
  await storeProof(subscription);
}

/**
 * Turns pushes on, and requests permission if necessary.
 * @throws ApiError, or DOMException when the browser's push service refuses a subscription
 */
export async function switchPushOn(): Promise<DevicePush> {
  if ((await Notification.requestPermission()) !== 'granted') return readDevicePush();
  const worker = 'PushManager' in window ? await openWorker() : undefined;
  if (worker === undefined) return 'unsupported';
  await navigator.serviceWorker.ready;
  await register(worker, true);
  return 'on';
}

/** Turns pushes off: the service deletes the device, and the browser its subscription. */
export async function switchPushOff(): Promise<DevicePush> {
  const subscription = await findSubscription();
  if (subscription !== null) await sdk.push.deletePushToken({ body: { endpoint: subscription.endpoint } });
  await dropDevice();
  return readDevicePush();
}

/**
 * Registers this device again if pushes are on: the session may be new, and the subscription or the service's key may
 * have changed while the client was closed.
 */
export async function storeDevice(): Promise<void> {
  if ((await findSubscription()) === null || Notification.permission !== 'granted') return;
  const worker = await openWorker();
  if (worker !== undefined) await register(worker, false);
}

/** Deletes everything here that belongs to the session that has ended; the service deletes its device itself. */
export async function dropDevice(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  if (registration === undefined) return;
  await forgetProof();
  for (const notice of await registration.getNotifications()) notice.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}

/** Closes the notification of a ring on this device; that of a missed call remains. */
export async function closeRingNotice(conference_id: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  const notices = (await registration?.getNotifications({ tag: `call:${conference_id}` })) ?? [];
  for (const notice of notices) if ((notice.data as NoticeData).join_code !== undefined) notice.close();
}
