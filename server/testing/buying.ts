/** Buying the paid plan as somebody does: the checkout, and the console as the buyer. */
import { expect } from 'vitest';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

/** Opens a checkout; answers its session. */
export async function openCheckout(world: World, { token }: Persona): Promise<string> {
  const { status, body } = await world.call('POST /billing/checkout', { token, body: {} });
  expect([200, 201]).toContain(status);
  return body.session_id;
}

/** Plays the buyer. */
export const settleCheckout = (world: World, session_id: string, outcome: 'paid' | 'cancelled') =>
  world.call(`POST /console/payments/${session_id}`, { body: { outcome } });

/** Gives somebody the paid plan by the way of all. */
export async function buyPlus(world: World, persona: Persona): Promise<void> {
  expect((await settleCheckout(world, await openCheckout(world, persona), 'paid')).body.state).toBe('paid');
}
