/** Comments in tests. */
import { expect } from 'vitest';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Comments on the profile of a tag; returns the comment. */
export async function comment(world: World, tag: { name: string }, author: Persona, body: string) {
  const answer = await world.call(`POST /profiles/${tag.name}/comments`, { token: author.token, body: { body } });
  expect(answer.status).toBe(201);
  return answer.body;
}
