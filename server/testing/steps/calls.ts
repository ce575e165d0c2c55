/** Calls in tests: starting one, and being connected to its media as the media server reports it. */
import { expect } from 'vitest';
import { terms } from '../../domain/calls/state/call-machine.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Starts a call of `host` to `guests` and returns it. */
export async function startCall(world: World, host: Persona, guests: Persona[], more: object = {}) {
  const to = guests.map(({ id }) => ({ user_id: id }));
  const { status, body } = await world.call('POST /calls', { token: host.token, body: { to, ...more } });
  expect(status).toBe(201);
  return body;
}

/** Requests the media grant: the first half of joining. */
export async function requestGrants(
  world: World,
  join_code: string,
  ...people: Pick<Persona, 'token'>[]
): Promise<void> {
  for (const { token } of people) {
    const grant = await world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
    expect(grant.status).toBe(200);
  }
}

/** Sets who is connected to the call's media from now on, and sends a webhook of the media server. */
export async function connectMedia(
  world: World,
  conference_id: string,
  ...people: Pick<Persona, 'id'>[]
): Promise<void> {
  world.rooms.set(conference_id, new Set(people.map(({ id }) => id)));
  const hook = await world.call('POST /media/webhook', {
    raw: JSON.stringify({ room: conference_id }),
    headers: { 'content-type': 'application/webhook+json' },
  });
  expect(hook.status).toBe(200);
  await world.settle();
}

/** The state of each participant of a call, as `viewer` sees it. */
export async function statesOf(world: World, join_code: string, viewer: Persona): Promise<Record<string, string>> {
  const { body } = await world.call(`GET /calls/${join_code}`, { token: viewer.token });
  return Object.fromEntries(body.participants.map(({ name, state }: { name: string; state: string }) => [name, state]));
}

/** Advances the service's time and runs what is due. */
export async function advanceTime(world: World, seconds: number): Promise<void> {
  await world.clock.advance(seconds);
  await world.settle();
}

/** Advances the service's time until every ring has timed out, and runs what is due. */
export function timeOutRings(world: World): Promise<void> {
  return advanceTime(world, terms.ring_s + 1);
}

type Leg = { leg_id: string; conference_id: string; number: string; name: string; state: string; code: string | null };

/** The phone legs, newest first, as the console shows them. */
export async function legsOf(world: World): Promise<Leg[]> {
  await world.settle();
  return consoleCall(world, 'GET', '/console/phone/legs').then(({ body }) => body.items);
}

/** Simulates an action of the phone on the newest leg to a number. */
export async function simulatePhone(world: World, number: string, state: string): Promise<void> {
  const leg = (await legsOf(world)).find((item) => item.number === number);
  const { status } = await consoleCall(world, 'POST', `/console/phone/legs/${leg?.leg_id}`, { state });
  expect(status).toBe(200);
  await world.settle();
}

/** One request to the console, as from this machine. */
export async function consoleCall(world: World, method: 'GET' | 'POST', url: string, payload?: object) {
  const response = await world.app.http.inject({
    method,
    url,
    headers: { host: 'localhost' },
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
}

/** The inbox of an account, newest first. */
export async function inboxOf(world: World, { token }: Persona) {
  await world.settle();
  const { body } = await world.call('GET /inbox', { token });
  return body.items;
}
