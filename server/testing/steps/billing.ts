/** Buying the paid plan as a user does: the checkout, and the console in place of the buyer. */
import { expect } from 'vitest';
import type { SimulatedOutcome } from '../../engines/ports.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Opens a checkout; returns its session. */
export async function openCheckout(world: World, { token }: Persona): Promise<string> {
  const { status, body } = await world.call('POST /billing/checkout', { token, body: {} });
  expect([200, 201]).toContain(status);
  return body.session_id;
}

/** Simulates the buyer's payment or cancellation, or that their card is declined later. */
export const settleCheckout = (world: World, session_id: string, outcome: SimulatedOutcome) =>
  world.call(`POST /console/payments/${session_id}`, { body: { outcome } });

/** Buys the paid plan for an account through the checkout. */
export async function buyPlus(world: World, persona: Persona): Promise<void> {
  expect((await settleCheckout(world, await openCheckout(world, persona), 'paid')).body.state).toBe('paid');
}
