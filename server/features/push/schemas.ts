import { createHash, createPublicKey } from 'node:crypto';
import type { PushPlatform, PushTarget } from '../../domain/notifications/push.ts';
import { invalid } from '../../kernel/errors.ts';
import { component, moment, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';

/** The platforms of devices, each with a push service of its own. */
export const platforms = ['ios', 'android', 'web'] as const satisfies readonly PushPlatform[];

/** The result of `pushManager.subscribe()` in a browser, as JSON (Push API, W3C). */
export const Subscription = object({
  endpoint: Type.String({ minLength: 1, maxLength: 2000 }),
  expirationTime: optional(nullable(Type.Number())),
  keys: object({
    p256dh: Type.String({
      pattern: '^[A-Za-z0-9_-]{87}=?$',
      description: 'An uncompressed point on P-256, base64url.',
    }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', description: '16 bytes, base64url.' }),
  }),
});

/**
 * A registered browser's proof of identity: a service worker has no session, but a subscription, whose secret only the
 * browser and this service know.
 */
export const DeviceProof = object({
  endpoint: Type.String({ minLength: 1, maxLength: 2000, description: 'The endpoint as it was registered.' }),
  auth: Type.String({ minLength: 1, maxLength: 100, description: 'The secret of the subscription, `keys.auth`.' }),
});

export const Device = object({
  platform: oneOf(...platforms),
  token: optional(
    Type.String({ pattern: '^[!-~]{1,4096}$', description: 'The token of an app from its push service.' }),
  ),
  voip_token: optional(
    Type.String({ pattern: '^[!-~]{1,4096}$', description: 'The PushKit token on iOS, used for rings.' }),
  ),
  subscription: optional(Subscription),
});

export const PushToken = component('PushToken', object({ platform: oneOf(...platforms), created_at: moment }));

/** The device that a body names. @throws ApiError `validation_failed` */
export function readDevice(
  { platform, token, voip_token, subscription }: Static<typeof Device>,
  isAllowed: (endpoint: string) => boolean,
): PushTarget {
  if (voip_token !== undefined && platform !== 'ios') invalid({ voip_token: 'is only for iOS' });
  if (platform !== 'web') {
    if (subscription) invalid({ subscription: 'is only for browsers' });
    const app = { platform, token: token ?? invalid({ token: 'is required' }) };
    return voip_token === undefined ? app : { ...app, voip_token };
  }
  if (token !== undefined) invalid({ token: 'is only for apps' });
  if (!subscription) return invalid({ subscription: 'is required' });
  const { endpoint, keys } = subscription;
  if (!isAllowed(endpoint)) invalid({ 'subscription.endpoint': 'must be a public https URL' });
  if (!isPoint(keys.p256dh)) invalid({ 'subscription.keys.p256dh': 'is not a point of P-256' });
  return { platform, subscription: { endpoint, keys: { p256dh: unpadded(keys.p256dh), auth: unpadded(keys.auth) } } };
}

/** Base64url without padding. */
export const unpadded = (base64url: string) => base64url.replace(/(?<!=)=+$/, '');

/** Whether a key is valid for key agreement: otherwise encryption would fail at every push. */
function isPoint(base64url: string): boolean {
  const bytes = Buffer.from(base64url, 'base64url');
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'));
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } });
    return true;
  } catch {
    return false;
  }
}

/** The identifier of a device: its token or the address of its subscription, stored as a hash. */
export function hashDevice(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
