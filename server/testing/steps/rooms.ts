/** Lasting rooms in tests. */
import { expect } from 'vitest';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Creates or changes the lasting room of `place`, `/xtags/{id}` or `/groups/{id}`, and returns it. */
export async function saveRoom(world: World, place: string, owner: Persona, body: object = {}) {
  const answer = await world.call(`PUT ${place}/room`, { token: owner.token, body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

/** Joins the call of a room, or starts it; returns the reply of the service. */
export const joinRoom = (world: World, join_code: string, { token }: Persona) =>
  world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });

/** The room of `place` as an account sees it. */
export const readRoom = (world: World, place: string, { token }: Persona) => world.call(`GET ${place}/room`, { token });
