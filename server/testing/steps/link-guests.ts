/** Guests who join a call by its link, for tests. */
import { connectMedia, requestGrants, startCall } from './calls.ts';
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

/** A call that admits guests, with its host, others and a guest connected to its media. */
export async function startCallWithGuest(world: World, host: Persona, others: Persona[] = []) {
  const { join_code, conference_id } = await startOpenCall(world, host, others);
  const guest = await admitGuest(world, host, join_code);
  await requestGrants(world, join_code, host, ...others, guest);
  const { body } = await world.call(`GET /calls/${join_code}`, { token: guest.token });
  const { id: participant_id } = body.participants.find((one: { guest: { id: string } | null }) => one.guest !== null);
  const connect = (...people: { id: string }[]) => connectMedia(world, conference_id, host, ...people);
  await connect(...others, { id: participant_id });
  return { join_code: join_code as string, conference_id: conference_id as string, guest, participant_id, connect };
}
