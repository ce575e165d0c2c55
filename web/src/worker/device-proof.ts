/**
 * Without a session, the service worker authenticates with the secret of the registered subscription. The page stores
 * it where both can read it, since browsers do not always give a worker the subscription that has expired.
 */
export interface DeviceProof {
  readonly endpoint: string;
  readonly auth: string;
}

const CACHE = 'asterism-push';
const PLACE = '/app/push-device';

/** Stores the proof of the device that is currently registered. */
export async function storeProof(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const cache = await caches.open(CACHE);
  await cache.put(PLACE, Response.json({ endpoint, auth: keys?.['auth'] }));
}

/** The proof of the device, or undefined if none is registered. */
export async function readProof(): Promise<DeviceProof | undefined> {
  const kept = await (await caches.open(CACHE)).match(PLACE);
  return kept === undefined ? undefined : ((await kept.json()) as DeviceProof);
}

/** Deletes it, with the device. */
export async function forgetProof(): Promise<void> {
  await caches.delete(CACHE);
}
