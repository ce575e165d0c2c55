/** Devices that receive pushes, in tests. */
import { createECDH, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { CapturedMessage } from '../../engines/ports.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Creates a browser's subscription, with its secrets. */
export function createSubscription(endpoint: string) {
  const keys = createECDH('prime256v1');
  const auth = randomBytes(16);
  const p256dh = keys.generateKeys();
  return {
    subscription: {
      endpoint,
      keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    },
    keys,
    auth,
  };
}

/** Registers a device for pushes; returns the status: 201 for a new one, 200 for a known one. */
export async function registerDevice(world: World, { token }: Persona, body: object): Promise<number> {
  const answer = await world.call('POST /push-token', { token, body });
  expect([200, 201]).toContain(answer.status);
  return answer.status;
}

/** The pushes to an account, newest first, after all due jobs have run. */
export async function pushesOf(world: World, { username }: Persona): Promise<CapturedMessage[]> {
  return (await world.sent(username)).filter(({ channel }) => channel === 'push');
}
