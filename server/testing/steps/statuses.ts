/** Statuses and replies in tests. */
import { expect } from 'vitest';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Posts a status; returns it. */
export async function postStatus(world: World, author: Persona, body: string, more: object = {}) {
  const answer = await world.call('POST /statuses', { token: author.token, body: { body, ...more } });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Replies to a status; returns the reply. */
export async function replyTo(world: World, status: { id: string }, author: Persona, body: string) {
  const answer = await world.call(`POST /statuses/${status.id}/replies`, { token: author.token, body: { body } });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The texts of the statuses in a list, as an account reads it. */
export async function listedTexts(world: World, path: string, { token }: { token: string }): Promise<string[]> {
  const { status, body } = await world.call(`GET ${path}`, { token });
  expect(status).toBe(200);
  return body.items.map((item: { body: string }) => item.body);
}
