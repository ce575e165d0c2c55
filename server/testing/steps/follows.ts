/** Tags and follows in tests. */
import { expect } from 'vitest';
import type { tagSettings } from '../../features/tags/schemas.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** A value of each setting of a tag, none of them the default: a setting that is not stored fails the tests. */
export const tag_settings = {
  title: 'Evenings',
  description: 'Every Thursday',
  visibility: 'unlisted',
  follow_policy: 'approval',
  comments_open: false,
} satisfies Record<keyof typeof tagSettings, unknown>;

/** Creates a tag; returns it. */
export async function createTag(world: World, owner: Persona, name: string, more: object = {}) {
  const { status, body } = await world.call('POST /xtags', { token: owner.token, body: { name, ...more } });
  expect(status).toBe(201);
  return body;
}

/** Follows a tag, or requests to; returns the reply of the service. */
export async function follow(world: World, tag: { id: string }, follower: Persona, body: object = {}) {
  return world.call(`PUT /xtags/${tag.id}/follow`, { token: follower.token, body });
}

/** Requests to follow a tag that approves followers manually; returns the request. */
export async function requestFollow(world: World, tag: { id: string }, requester: Persona, message = '') {
  const { status, body } = await follow(world, tag, requester, { message });
  expect([status, body.state]).toEqual([202, 'requested']);
  return body.request;
}

/** Accepts or declines a request; returns the reply of the service. */
export async function actOnRequest(world: World, request: { id: string }, persona: Persona, action: string) {
  return world.call(`PATCH /follow-requests/${request.id}`, { token: persona.token, body: { action } });
}

/** Blocks a person. */
export async function block(world: World, blocker: Persona, blocked: Persona): Promise<void> {
  const { status } = await world.call('POST /blocks', { token: blocker.token, body: { user_id: blocked.id } });
  expect([200, 201]).toContain(status);
}

/** The first page of a list, as an account reads it. */
export async function itemsOf(world: World, path: string, persona: Persona) {
  const { status, body } = await world.call(`GET ${path}`, { token: persona.token });
  expect(status).toBe(200);
  return body.items;
}
