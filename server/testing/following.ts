/** Tags and follows in tests. */
import { expect } from 'vitest';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

/** Makes a tag and answers it. */
export async function createTag(world: World, owner: Persona, name: string, more: object = {}) {
  const { status, body } = await world.call('POST /xtags', { token: owner.token, body: { name, ...more } });
  expect(status).toBe(201);
  return body;
}

/** Follows a tag, or asks to; answers what the service says. */
export async function follow(world: World, tag: { id: string }, follower: Persona, body: object = {}) {
  return world.call(`PUT /xtags/${tag.id}/follow`, { token: follower.token, body });
}

/** Asks to follow a tag that lets people in by hand; answers the request. */
export async function requestFollow(world: World, tag: { id: string }, asker: Persona, message = '') {
  const { status, body } = await follow(world, tag, asker, { message });
  expect([status, body.state]).toEqual([202, 'requested']);
  return body.request;
}

/** Acts on a request. */
export async function actOnRequest(world: World, request: { id: string }, who: Persona, action: string) {
  return world.call(`PATCH /follow-requests/${request.id}`, { token: who.token, body: { action } });
}

/** Blocks somebody. */
export async function block(world: World, blocker: Persona, blocked: Persona): Promise<void> {
  const { status } = await world.call('POST /blocks', { token: blocker.token, body: { user_id: blocked.id } });
  expect([200, 201]).toContain(status);
}

/** The items of a list. */
export async function itemsOf(world: World, path: string, who: Persona) {
  const { status, body } = await world.call(`GET ${path}`, { token: who.token });
  expect(status).toBe(200);
  return body.items;
}
