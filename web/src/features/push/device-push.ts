import { sdk } from '../../asterism.ts';
import { forgetProof, keepProof } from '../../worker/device-proof.ts';
import type { NoticeData } from '../../worker/notices.ts';

/** How pushes to this browser stand. */
export type DevicePush = 'unsupported' | 'insecure' | 'unserved' | 'denied' | 'off' | 'on';

const WORKER = '/app/sw.js';
const SCOPE = '/app/';

/** The worker's registration, made if need be; undefined where it cannot be. */
export async function openWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return undefined;
  return navigator.serviceWorker.register(WORKER, { scope: SCOPE });
}

/** The present subscription of this browser, without asking for one. */
async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Looks at how pushes stand here. */
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

/** Subscribes with the service's present key, and registers what comes of it. */
async function register(worker: ServiceWorkerRegistration): Promise<void> {
  const { vapid_public_key } = await sdk.push.getPushKey();
  if (vapid_public_key === null) throw new Error('This service does not push to browsers.');
  const key = decodeKey(vapid_public_key);
  let subscription = await worker.pushManager.getSubscription();
  if (subscription !== null && !isSameKey(subscription.options.applicationServerKey, key)) {
    // Made for a key that the service no longer has: nothing would come through it.
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys = {} } = subscription.toJSON();
  const wire = { endpoint: endpoint ?? '', keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
  await sdk.push.registerPushToken({ body: { platform: 'web', subscription: wire } });
  await keepProof(subscription);
}

/**
 * Switches pushes on, asking the reader for leave where that was not done before.
 * @throws ApiError, or DOMException when the browser's push service gives no subscription
 */
export async function switchPushOn(): Promise<DevicePush> {
  if ((await Notification.requestPermission()) !== 'granted') return readDevicePush();
  const worker = 'PushManager' in window ? await openWorker() : undefined;
  if (worker === undefined) return 'unsupported';
  await navigator.serviceWorker.ready;
  await register(worker);
  return 'on';
}

/** Switches pushes off here: the service forgets the device, and the browser its subscription. */
export async function switchPushOff(): Promise<DevicePush> {
  const subscription = await findSubscription();
  if (subscription !== null) await sdk.push.deletePushToken({ body: { endpoint: subscription.endpoint } });
  await dropDevice();
  return readDevicePush();
}

/**
 * Registers this device again where it is switched on: its session may be a new one, and its subscription or the
 * service's key may have changed while nothing of this was open.
 */
export async function keepDevice(): Promise<void> {
  if ((await findSubscription()) === null || Notification.permission !== 'granted') return;
  const worker = await openWorker();
  if (worker !== undefined) await register(worker);
}

/** Leaves nothing here of the session that has ended; the service forgets its device by itself. */
export async function dropDevice(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  if (registration === undefined) return;
  await forgetProof();
  for (const notice of await registration.getNotifications()) notice.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}

/** Takes the notice of a ring off this device; what says that a call was missed stays. */
export async function closeRingNotice(conference_id: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  const notices = (await registration?.getNotifications({ tag: `call:${conference_id}` })) ?? [];
  for (const notice of notices) if ((notice.data as NoticeData).join_code !== undefined) notice.close();
}
