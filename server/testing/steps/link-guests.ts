/** Guests who join a call by its link, for tests. */
import { startCall } from './calls.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** A call that admits guests, by default each after the host's approval. */
export async function startOpenCall(world: World, host: Persona, others: Persona[] = [], guests = 'ask') {
  const call = await startCall(world, host, others);
  const { status } = await world.call('PATCH /calls/active', { token: host.token, body: { guests } });
  if (status !== 200) throw new Error(`guests were not permitted: ${status}`);
  return call;
}

/** Requests admission; each guest from a separate address. */
export const requestEntry = (world: World, join_code: string, name = 'Gina', ip = '10.9.0.1') =>
  world.call(`POST /calls/${join_code}/guests`, { body: { name }, ip });

/** Admits a guest as the host, or rejects them. */
export const decideOnGuest = (world: World, host: Persona, join_code: string, guest_id: string, action = 'admit') =>
  world.call(`POST /calls/${join_code}/guests/${guest_id}`, { token: host.token, body: { action } });

/** An admitted guest, with their token. */
export async function admitGuest(world: World, host: Persona, join_code: string, name = 'Gina') {
  const { body } = await requestEntry(world, join_code, name);
  await decideOnGuest(world, host, join_code, body.guest.id);
  return { token: body.token as string, id: body.guest.id as string };
}
